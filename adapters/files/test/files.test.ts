import { spawnSync } from 'node:child_process';
import * as node from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  hasErrorCode,
  isDiskFailure,
  makeFolders,
  removeStaleFiles,
  temporaryName,
  unlessAbsent,
} from '@palimpsest/files';
import { expect } from 'chai';

const STALE = new Date(Date.now() - 2 * 3_600_000);

describe('@palimpsest/files', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await node.mkdtemp(join(tmpdir(), 'files-'));
  });
  afterEach(() => node.rm(folder, { recursive: true }));

  it('makeFolders creates all missing folders for this user only, and syncs the parent of each', async () => {
    const path = join(folder, 'a', 'b');
    const opened: string[] = [];
    const open: typeof node.open = async (file, ...rest) => {
      opened.push(String(file));
      return await node.open(file, ...rest);
    };
    await makeFolders(path, { ...node, open });
    for (const made of [path, dirname(path)]) expect((await node.stat(made)).mode & 0o777).to.equal(0o700);
    if (process.platform !== 'win32') expect(opened).to.deep.equal([dirname(path), folder]);
    await makeFolders(path);
  });

  it('removeStaleFiles deletes only files of ended processes and files without a write for an hour', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const own = temporaryName();
    const orphan = temporaryName().replace(`-${process.pid}-`, `-${pid}-`);
    const elsewhere = own.replace(/^\.[0-9a-f]{16}|^\.any/, `.${'0'.repeat(16)}`);
    const stale = temporaryName();
    const earlierVersion = orphan.replace(/^\./, '').replace(/\.part$/, '');
    const kept = [own, elsewhere, 'notes.part', '.hidden', 'old.txt'];
    for (const name of [...kept, orphan, stale, earlierVersion]) await node.writeFile(join(folder, name), 'x');
    for (const name of [stale, 'old.txt']) await node.utimes(join(folder, name), STALE, STALE);
    await node.mkdir(join(folder, orphan.replace(/.{8}\.part$/, '00000000.part')));
    await removeStaleFiles(folder);
    const left = (await node.readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
    const isProcessKnown = !own.startsWith('.any');
    expect(left.map(({ name }) => name).toSorted()).to.deep.equal(
      (isProcessKnown ? kept : [...kept, orphan, earlierVersion]).toSorted(),
    );
  });

  it('hasErrorCode recognises a system error by its code', async () => {
    const error: unknown = await node.stat(join(folder, 'absent')).catch((thrown: unknown) => thrown);
    expect(hasErrorCode(error, 'EEXIST', 'ENOENT')).to.equal(true);
    expect(hasErrorCode(error, 'EEXIST')).to.equal(false);
    expect(hasErrorCode('ENOENT', 'ENOENT')).to.equal(false);
  });

  it('isDiskFailure recognises a full disk, but not a missing file', () => {
    expect(isDiskFailure(Object.assign(new Error('write'), { code: 'ENOSPC' }))).to.equal(true);
    expect(isDiskFailure(Object.assign(new Error('open'), { code: 'ENOENT' }))).to.equal(false);
    expect(isDiskFailure(new Error('ENOSPC'))).to.equal(false);
  });

  it('unlessAbsent returns undefined for a missing file, and throws other errors', async () => {
    expect(await unlessAbsent(node.readFile(join(folder, 'absent')))).to.equal(undefined);
    const error: unknown = await unlessAbsent(node.readFile(folder)).catch((thrown: unknown) => thrown);
    expect(hasErrorCode(error, 'EISDIR')).to.equal(true);
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { findProgram } from '@palimpsest/child-process';

describe('findProgram', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'programs-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('returns the absolute path of the first executable file on the search path', async () => {
    const isWindows = process.platform === 'win32';
    const name = isWindows ? 'tool.exe' : 'tool';
    for (const folder of ['data', 'folder', 'first', 'second']) await mkdir(join(root, folder));
    if (!isWindows) await writeFile(join(root, 'data', name), '', { mode: 0o600 }); // not executable
    await mkdir(join(root, 'folder', name)); // not a file
    for (const folder of ['first', 'second']) await writeFile(join(root, folder, name), '', { mode: 0o700 });
    const folders = ['missing', 'data', 'folder', 'first', 'second'].map((folder) => join(root, folder));
    const searchPath = ['', '.', 'first', ...folders].join(delimiter);
    expect(await findProgram('tool', searchPath)).to.equal(join(root, 'first', name));
    expect(await findProgram('no-such-tool', searchPath)).to.equal(undefined);
    expect(await findProgram('tool', '')).to.equal(undefined);
  });
});

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { isAppError } from '@palimpsest/core';
import {
  decodePgm,
  encodePgm,
  findProgram,
  makePrivateFolder,
  Programs,
  removePrivateFolder,
  sweepPrivateFolders,
} from '@palimpsest/child-process';
import type { ProgramCall } from '@palimpsest/child-process';
import { assert, integer, property, tuple, uint8Array } from 'fast-check';

const script = fileURLToPath(new URL('./fixtures/misbehaving-program.ts', import.meta.url));

const aCall = (deed: readonly string[], given: Partial<ProgramCall> = {}): ProgramCall => ({
  program: process.execPath,
  arguments: ['--no-warnings', script, ...deed],
  timeoutMs: 30_000,
  signal: new AbortController().signal,
  maxOutputBytes: 1000,
  ...given,
});

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('Programs', () => {
  it('runs no more at once than it may, and the others in turn', async () => {
    const programs = new Programs(1);
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4, 5].map(async (number) => {
        await programs.run(aCall(['exit', '0']));
        order.push(number);
      }),
    );
    expect(order).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('lets one who waits go when the signal aborts, and gives the place to the next', async () => {
    const programs = new Programs(1);
    const controller = new AbortController();
    const [first, second, third] = [
      programs.run(aCall(['exit', '0'])),
      failureOf(programs.run(aCall(['exit', '0'], { signal: controller.signal }))),
      programs.run(aCall(['exit', '0'])),
    ];
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await second).to.equal(reason);
    expect((await first).exitCode).to.equal(0);
    expect((await third).exitCode).to.equal(0);
  });

  it('ends what runs and what waits when it is closed, and refuses what comes', async () => {
    const programs = new Programs(1);
    const works = [1, 2].map(() => failureOf(programs.run(aCall(['hang']))));
    await programs.close();
    await programs.close();
    for (const error of [...(await Promise.all(works)), await failureOf(programs.run(aCall(['exit', '0'])))]) {
      expect(isAppError(error, 'SERVICE_UNAVAILABLE')).to.equal(true);
    }
  });
});

describe('findProgram', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'programs-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('finds the first that can be run, by its absolute path', async () => {
    const name = process.platform === 'win32' ? 'tool.exe' : 'tool';
    for (const place of ['data', 'folder', 'first', 'second']) await mkdir(join(folder, place));
    if (process.platform !== 'win32') await writeFile(join(folder, 'data', name), '', { mode: 0o600 });
    await mkdir(join(folder, 'folder', name));
    for (const place of ['first', 'second']) await writeFile(join(folder, place, name), '', { mode: 0o700 });
    const path = ['', '.', 'first', 'missing', 'data', 'folder', 'first', 'second'].map((place) =>
      place === '' ? '' : join(folder, place),
    );
    expect(await findProgram('tool', path.join(delimiter))).to.equal(join(folder, 'first', name));
    expect(await findProgram('no-such-tool', path.join(delimiter))).to.equal(undefined);
    expect(await findProgram('tool', '')).to.equal(undefined);
  });
});

describe('private folders', () => {
  it('are removed with what is in them, as often as they are told to', async () => {
    const folder = await makePrivateFolder();
    await writeFile(join(folder, 'page.pdf'), 'x');
    await removePrivateFolder(folder);
    await removePrivateFolder(folder);
    expect(existsSync(folder)).to.equal(false);
  });

  it('of processes that are gone are swept, those in use are not', async function () {
    const own = await makePrivateFolder();
    const [, space = ''] = /palimpsest-([0-9a-f]{16})-/.exec(own) ?? [];
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await new Promise((resolve) => gone.once('exit', resolve));
    const left = join(tmpdir(), `palimpsest-${space}-${gone.pid}-abcdef`);
    await mkdir(left);
    try {
      if (/^0+$/.test(space)) return this.skip(); // this system does not tell who is gone
      await sweepPrivateFolders();
      expect(existsSync(left)).to.equal(false);
      expect(await readdir(own)).to.deep.equal([]);
    } finally {
      await rm(left, { recursive: true, force: true });
      await removePrivateFolder(own);
    }
  });
});

describe('PGM', () => {
  const images = tuple(integer({ min: 1, max: 20 }), integer({ min: 1, max: 20 })).chain(([width, height]) =>
    uint8Array({ minLength: width * height, maxLength: width * height }).map((data) => ({ width, height, data })),
  );

  it('decodes what it encodes', () => {
    assert(
      property(
        images,
        (image) =>
          void expect(decodePgm(Buffer.concat(encodePgm(image)))).to.deep.equal({
            ...image,
            data: Buffer.from(image.data),
          }),
      ),
    );
  });

  it('reads comments in the header and leaves what follows the image', () => {
    expect(decodePgm(Buffer.from('P5\n# made by hand\n2 1\n#\n255\nab and more'))).to.deep.equal({
      width: 2,
      height: 1,
      data: Buffer.from('ab'),
    });
  });

  it('gives nothing for what is none, or ends too early', () => {
    for (const text of [
      '',
      'P5',
      'P2\n1 1\n255\n0',
      'P6\n1 1\n255\nabc',
      'P5\n2 2\n255\nabc',
      'P5\n1 1\n65535\nab',
      'P5\n0 5\n255\n',
      'P5\n-1 5\n255\nabc',
    ]) {
      expect(decodePgm(Buffer.from(text)), JSON.stringify(text)).to.equal(undefined);
    }
    assert(property(uint8Array(), (bytes) => void decodePgm(bytes)));
  });
});

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { isAppError } from '@palimpsest/core';
import type { AppError, ErrorCode } from '@palimpsest/core';
import { describeConfinement, findProgram, runProgram, sweepPrivateFolders } from '@palimpsest/child-process';
import type { ProgramCall, ProgramResult } from '@palimpsest/child-process';

const script = fileURLToPath(new URL('./fixtures/misbehaving-program.ts', import.meta.url));

const isWindows = process.platform === 'win32';
const onWindows = ': left out, as Windows has no process groups'; // nor tells the memory of one
const [hasPrlimit, hasSetpriv] = await Promise.all(
  ['prlimit', 'setpriv'].map(async (name) => (await findProgram(name)) !== undefined),
);

const aCall = (given: Partial<ProgramCall> = {}, ...deed: readonly string[]): ProgramCall => ({
  program: process.execPath,
  arguments: ['--no-warnings', script, ...deed],
  timeoutMs: 30_000,
  signal: new AbortController().signal,
  maxOutputBytes: 100_000_000,
  ...given,
});

const run = (deed: readonly string[], given: Partial<ProgramCall> = {}): Promise<ProgramResult> =>
  runProgram(aCall(given, ...deed));

const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work.then(() => undefined);
  } catch (error) {
    return error;
  }
};

const refusal = async (work: Promise<unknown>, code: ErrorCode): Promise<AppError> => {
  const error = await failureOf(work);
  if (isAppError(error, code)) return error;
  throw new Error(`${code} was expected, not ${String(error)}`);
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const until = async (condition: () => boolean, withinMs = 20_000): Promise<void> => {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('The condition was not met in time.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const ownFolders = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.includes(`-${process.pid}-`));

describe('runProgram', () => {
  afterEach('no private folder is left', async () => {
    expect(await ownFolders()).to.deep.equal([]);
  });

  it('gives the program its input and takes its output, byte by byte', async () => {
    const parts = [new Uint8Array([0, 255, 10]), new Uint8Array(3_000_000).fill(7)];
    const { exitCode, output } = await run(['echo'], { input: parts });
    expect(exitCode).to.equal(0);
    expect(output.equals(Buffer.concat(parts))).to.equal(true);
  });

  it('passes arguments as they are, with no shell between', async () => {
    const odd = ['$(touch x)', '; ls', '"', "'", '`id`', '*', '', 'a b', '-n'];
    const { output } = await run(['about', ...odd]);
    expect(JSON.parse(output.toString())).to.deep.include({ arguments: odd, entries: [] });
  });

  it('tells the program of the environment only what it needs', async () => {
    const { output } = await run(['about'], { environment: { OMP_THREAD_LIMIT: '1' } });
    const { environment } = JSON.parse(output.toString()) as { environment: Record<string, string> };
    expect(Object.keys(environment).sort()).to.deep.equal(
      [
        'LANG',
        'LC_ALL',
        'OMP_THREAD_LIMIT',
        'PATH',
        'TEMP',
        'TMP',
        'TMPDIR',
        ...(isWindows ? ['SystemRoot'] : []),
      ].sort(),
    );
  });

  it('lets it work in an empty folder that nobody else may enter and that is removed afterwards', async () => {
    const { output } = await run(['about']);
    const about = JSON.parse(output.toString()) as { folder: string; mode: number };
    if (!isWindows) expect(about.mode).to.equal(0o700);
    expect(about.folder).to.include(`-${process.pid}-`);
    expect(existsSync(about.folder)).to.equal(false);
  });

  it('tells how the program ended: by a code with what it said, or by a signal', async () => {
    const failed = await run(['exit', '3']);
    expect([failed.exitCode, failed.errors.trim()]).to.deep.equal([3, 'it went wrong']);
    if (!isWindows) expect((await run(['crash'])).endedBy).to.equal('SIGSEGV');
  });

  it('does not mind a program that ends before it has read its input', async () => {
    expect((await run(['ignore its input'], { input: [new Uint8Array(10_000_000)] })).exitCode).to.equal(0);
  });

  it('kills what passes its time, whatever signals it ignores', async () => {
    const begun = performance.now();
    const error = await refusal(run(['hang'], { timeoutMs: 700, subject: 'page 3' }), 'PAGE_TIMED_OUT');
    expect(error.message).to.equal('Page 3 could not be read within 1 s.');
    expect(performance.now() - begun).to.be.below(10_000);
    await refusal(run(['spin'], { timeoutMs: 700 }), 'PAGE_TIMED_OUT');
  });

  (isWindows ? it.skip : it)(
    `leaves nothing behind that the program started${isWindows ? onWindows : ''}`,
    async () => {
      await refusal(run(['have a child that hangs'], { timeoutMs: 1500 }), 'PAGE_TIMED_OUT');
      const left = await run(['have a child that hangs', 'and leave']);
      await until(() => !isAlive(Number(left.errors.trim())));
    },
  );

  it('kills what writes more than it may, to whichever stream', async () => {
    await refusal(run(['flood', 'output'], { maxOutputBytes: 1_000_000 }), 'ENGINE_CRASHED');
    await refusal(run(['flood', 'errors'], { maxErrorBytes: 1_000_000 }), 'ENGINE_CRASHED');
  });

  (isWindows ? it.skip : it)(`kills what takes more memory than it may${isWindows ? onWindows : ''}`, async () => {
    const { message } = await refusal(
      run(['grow'], { memoryLimitBytes: 300_000_000, startsOthers: true }),
      'PAGE_OUT_OF_MEMORY',
    );
    expect(message).to.match(/^The page needs more than 300 MB/);
  });

  it('kills a program whose work is aborted, with the reason of the signal', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const work = failureOf(run(['hang'], { signal: controller.signal }));
    controller.abort(reason);
    expect(await work).to.equal(reason);
    expect(await failureOf(run(['hang'], { signal: AbortSignal.abort(reason) }))).to.equal(reason);
  });

  it('says that a program which cannot be started crashed', async () => {
    await refusal(runProgram(aCall({ program: '/no/such/program' })), 'ENGINE_CRASHED');
  });

  (hasPrlimit ? it : it.skip)(
    `limits the files that a program writes${hasPrlimit ? '' : ': left out, as prlimit is not installed'}`,
    async () => {
      const { exitCode } = await run(['write a large file', '2000000'], { maxFileBytes: 1_000_000 });
      expect(exitCode).to.not.equal(0);
    },
  );

  it('holds the input open on request, for as long as the program works', async () => {
    await refusal(run(['wait for the end of input'], { leash: true, timeoutMs: 1000 }), 'PAGE_TIMED_OUT');
    expect((await run(['wait for the end of input'], { input: [] })).exitCode).to.equal(0);
  });

  describe('when its process is killed', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'killed-'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    const killParent = async (...args: readonly string[]): Promise<number> => {
      const file = join(folder, 'id');
      const fixture = fileURLToPath(new URL('./fixtures/parent-of-program.ts', import.meta.url));
      const parent = spawn(process.execPath, ['--conditions=@palimpsest/source', fixture, ...args, file], {
        stdio: 'ignore',
      });
      await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
      const pid = Number(readFileSync(file, 'utf8'));
      expect(isAlive(pid)).to.equal(true);
      parent.kill('SIGKILL');
      return pid;
    };

    (hasSetpriv ? it : it.skip)(
      `lets the program die with it${hasSetpriv ? '' : ': left out, as setpriv is not installed'}`,
      async () => {
        const pid = await killParent('note its id and hang', 'alone');
        await until(() => !isAlive(pid));
        await sweepPrivateFolders();
      },
    );

    (isWindows ? it.skip : it)(
      `lets a program on a leash end all that it has started${isWindows ? onWindows : ''}`,
      async () => {
        const pid = await killParent('have a child on a leash', 'leash');
        await until(() => !isAlive(pid));
        await sweepPrivateFolders();
      },
    );
  });

  it('says at once what is missing to limit programs', async () => {
    for (const sentence of await describeConfinement()) expect(sentence).to.match(/^[A-Z].*\.$/);
  });
});

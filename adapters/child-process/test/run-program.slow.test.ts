import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { findProgram, removeOrphanedFolders, runProgram } from '@palimpsest/child-process';
import type { ProgramCall, ProgramResult } from '@palimpsest/child-process';
import { misbehavingCall } from './fixtures/pools.ts';
import { appErrorOf, isAlive } from './processes.ts';
import { eventually } from '../../../test/expectations.ts';

const isWindows = process.platform === 'win32';
const onWindows = isWindows ? ' (skipped: Windows has no process groups)' : '';
const hasSetpriv = (await findProgram('setpriv')) !== undefined;

const run = (args: readonly string[], given: Partial<ProgramCall> = {}): Promise<ProgramResult> =>
  runProgram(misbehavingCall(args, given));

describe('runProgram with programs that do not end', () => {
  it('kills a program at its timeout, even if it ignores signals or computes for ever', async () => {
    const error = await appErrorOf(run(['hang'], { timeoutMs: 700, subject: 'page 3' }), 'PAGE_TIMED_OUT');
    expect(error.message).to.equal('Page 3 could not be read within 1 s.');
    await appErrorOf(run(['spin'], { timeoutMs: 700 }), 'PAGE_TIMED_OUT');
  });

  (isWindows ? it.skip : it)(`kills the processes that the program has started${onWindows}`, async () => {
    await appErrorOf(run(['start a process that hangs'], { timeoutMs: 1500 }), 'PAGE_TIMED_OUT');
    const result = await run(['start a process that hangs', 'and exit']);
    await eventually(() => !isAlive(Number(result.errors.trim())));
  });

  (isWindows ? it.skip : it)(`kills a program that exceeds its memory limit${onWindows}`, async () => {
    const call = { memoryLimitBytes: 300_000_000, startsProcesses: true };
    const { message } = await appErrorOf(run(['grow'], call), 'PAGE_OUT_OF_MEMORY');
    expect(message).to.match(/^The page needs more than 300 MB/);
  });

  it('keeps standard input open until the program ends, if `keepsInputOpen` is set', async () => {
    const call = { keepsInputOpen: true, timeoutMs: 1000 };
    await appErrorOf(run(['wait for the end of input'], call), 'PAGE_TIMED_OUT');
  });

  describe('when this process is killed', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'killed-'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    /** Kills a process that runs a program, and returns the id of that program or of a process that it has started. */
    const killParent = async (...args: readonly string[]): Promise<number> => {
      const file = join(folder, 'id');
      const fixture = fileURLToPath(new URL('./fixtures/parent-of-program.ts', import.meta.url));
      const parent = spawn(process.execPath, ['--conditions=@palimpsest/source', fixture, ...args, file], {
        stdio: 'ignore',
      });
      await eventually(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
      const pid = Number(readFileSync(file, 'utf8'));
      expect(isAlive(pid)).to.equal(true);
      parent.kill('SIGKILL');
      return pid;
    };

    (hasSetpriv ? it : it.skip)(
      `the system kills the program too${hasSetpriv ? '' : ' (skipped: setpriv is not installed)'}`,
      async () => {
        const pid = await killParent('write its id and hang', 'closes input');
        await eventually(() => !isAlive(pid));
        await removeOrphanedFolders();
      },
    );

    (isWindows ? it.skip : it)(
      `a program with \`keepsInputOpen\` sees the end of its input and kills its whole group${onWindows}`,
      async () => {
        const pid = await killParent('kill its group at the end of input', 'keeps input open');
        await eventually(() => !isAlive(pid));
        await removeOrphanedFolders();
      },
    );
  });
});

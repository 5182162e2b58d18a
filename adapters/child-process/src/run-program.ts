import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Cancellation } from '@palimpsest/core';
import { hasErrorCode } from '@palimpsest/files';
import { wrappedCommand, findWrappers, NOT_STARTED } from './resource-limits.ts';
import { failuresOf } from './page-failures.ts';
import { withPrivateFolder } from './private-folder.ts';
import type { ProgramResult } from './program-result.ts';
import { collectErrors, collectOutput, feedInput } from './program-streams.ts';
import { groupMemorySource, groupResidentBytes } from './resident-memory.ts';

const DEFAULT_MAX_ERROR_BYTES = 16_000_000;
const DEFAULT_MAX_FILE_BYTES = 16_000_000;
const MEMORY_POLL_MS = groupMemorySource === 'process table' ? 100 : 500;

/** One run of a program. */
export interface ProgramCall {
  readonly program: string; // absolute path
  readonly arguments: readonly string[]; // passed as they are, without a shell
  readonly input?: readonly Uint8Array[]; // the parts of standard input; default: empty
  /**
   * Keeps standard input open until this process ends. The program must kill its whole process group when its standard
   * input closes. Use this for a program that starts other processes, because the system would not kill those with the
   * program.
   */
  readonly keepsInputOpen?: boolean;
  readonly environment?: Readonly<Record<string, string>>; // in addition to PATH, the locale and the temporary folder
  readonly folder?: string; // the working folder, an absolute path; default: a new empty one, removed after the run
  readonly timeoutMs: number;
  readonly signal: Cancellation;
  readonly subject?: string; // the thing that error messages name, for example `Page 3`
  readonly memoryLimitBytes?: number;
  /**
   * Whether the program starts other processes. Then `memoryLimitBytes` limits the resident memory of all of them
   * together. Otherwise it limits the address space of the program, or its resident memory where the system cannot
   * limit addresses.
   */
  readonly startsProcesses?: boolean;
  readonly maxOutputBytes: number;
  readonly maxErrorBytes?: number; // default: 16 MB
  readonly maxFileBytes?: number; // of each file that the program writes; default: 16 MB
}

/**
 * A program gets only these variables, because others may contain secrets. Windows needs SystemRoot to load libraries.
 */
const scrubbedEnvironment = (folder: string, added: ProgramCall['environment'] = {}): NodeJS.ProcessEnv => ({
  ...(process.env['PATH'] !== undefined && { PATH: process.env['PATH'] }),
  ...(process.env['SystemRoot'] !== undefined && { SystemRoot: process.env['SystemRoot'] }),
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TMPDIR: folder,
  TEMP: folder,
  TMP: folder,
  ...added,
});

/** Lowers the priority of a program, so that it does not slow down the processes that answer users' requests. */
const lowerPriority = (pid: number): void => {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    const isGone = error instanceof Error && 'info' in error && hasErrorCode(error, 'ERR_SYSTEM_ERROR');
    if (!isGone) throw error;
  }
};

/** Kills the program and the processes that it started, unless they left its process group. */
const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // macOS answers EPERM for a group whose last process is ending.
    if (!hasErrorCode(error, 'ESRCH', 'EPERM')) throw error;
  }
};

/** Waits until the program has ended and its streams are closed. Then kills the processes that it left behind. */
const waitForEnd = (
  child: ChildProcess,
  onError: (error: Error) => void,
): Promise<{ readonly code: number | null; readonly signal: string | null }> =>
  new Promise((resolve) => {
    child.once('error', (error) => {
      onError(error);
      if (child.pid === undefined) resolve({ code: null, signal: null }); // the program could not be started
    });
    child.once('exit', () => killGroup(child));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });

const runIn = async (folder: string, call: ProgramCall): Promise<ProgramResult> => {
  const { timeoutMs, signal, memoryLimitBytes, startsProcesses = false, keepsInputOpen = false } = call;
  const wrappers = await findWrappers();
  signal.throwIfAborted();
  const failures = failuresOf(call.subject ?? 'the page');
  const startedAt = performance.now();
  const [command = call.program, ...args] = wrappedCommand([call.program, ...call.arguments], wrappers, {
    // A limit on addresses would stop Node, which reserves far more address space than it uses.
    addressSpaceBytes: startsProcesses ? undefined : memoryLimitBytes,
    cpuSeconds: Math.ceil(timeoutMs / 1000) + 1,
    maxFileBytes: call.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
    diesWithParent: !keepsInputOpen,
  });
  const child = spawn(command, args, {
    cwd: folder,
    env: scrubbedEnvironment(folder, call.environment),
    detached: process.platform !== 'win32', // starts a process group, so that `killGroup` ends all its processes
    windowsHide: true,
    stdio: [call.input === undefined && !keepsInputOpen ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    killGroup(child);
    // A process that has left the group could keep the streams open for ever.
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const failOnExcess = (): void => fail(failures.crashed('The program wrote more than its limit.'));
  const output = collectOutput(child.stdout, call.maxOutputBytes, failOnExcess);
  const errors = collectErrors(child.stderr, call.maxErrorBytes ?? DEFAULT_MAX_ERROR_BYTES, failOnExcess);
  const onAbort = (): void => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timeout = setTimeout(() => fail(failures.timedOut(timeoutMs)), timeoutMs);
  const checkMemory = async (limit: number): Promise<void> => {
    if (child.pid !== undefined && (await groupResidentBytes(child.pid)) > limit) fail(failures.outOfMemory(limit));
  };
  const isPolled = memoryLimitBytes !== undefined && (startsProcesses || wrappers.prlimit === undefined);
  const memoryPoll = isPolled
    ? setInterval(() => void checkMemory(memoryLimitBytes).catch(fail), MEMORY_POLL_MS)
    : undefined;
  feedInput(child, call.input ?? [], keepsInputOpen, (error) => fail(failures.crashed(error.message)));
  if (child.pid !== undefined) lowerPriority(child.pid);
  try {
    const end = await waitForEnd(child, (error) => (failure ??= { error: failures.crashed(error.message) }));
    if (failure !== undefined) throw failure.error;
    if (command !== call.program && NOT_STARTED.includes(end.code)) throw failures.crashed(errors());
    if (end.signal === 'SIGXCPU') throw failures.timedOut(timeoutMs);
    if (end.signal === 'SIGXFSZ') throw failures.crashed('The program wrote a file larger than its limit.');
    return {
      exitCode: end.code ?? undefined,
      signal: end.signal ?? undefined,
      output: output(),
      errors: errors(),
      elapsedMs: performance.now() - startedAt,
    };
  } finally {
    clearTimeout(timeout);
    clearInterval(memoryPoll);
    signal.removeEventListener('abort', onAbort);
    child.stdin?.destroy();
  }
};

/**
 * Runs a program to its end: without a shell, in its own process group, with a scrubbed environment and a private
 * folder, and with limits on time, memory and output. When the promise settles, all processes of the program's group
 * have ended, and the private folder is removed.
 *
 * Throws `PAGE_TIMED_OUT`; `PAGE_OUT_OF_MEMORY` if polling found too much memory; `ENGINE_CRASHED` if the program
 * cannot be started or writes too much; the signal's reason if the signal aborts. The caller must check every other
 * result: if the system enforces the memory limit, only the program's messages report it ({@link ranOutOfMemory}).
 *
 * `describeMissingLimits` returns the limits that this machine cannot set. If the system cannot kill the program
 * together with this process, the program ends when it reads its closed standard input, when it writes, or when its CPU
 * time is used up.
 */
export const runProgram = async (call: ProgramCall): Promise<ProgramResult> => {
  call.signal.throwIfAborted();
  return call.folder === undefined ? withPrivateFolder((folder) => runIn(folder, call)) : runIn(call.folder, call);
};

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import type { Cancellation } from '@palimpsest/core';
import { confined, confinersHere, NOT_STARTED } from './confinement.ts';
import { failuresOf } from './page-failures.ts';
import { withPrivateFolder } from './private-folder.ts';
import { groupMemorySource, groupResidentBytes } from './resident-memory.ts';
import { hasErrorCode } from './system-error.ts';

const DEFAULT_MAX_ERROR_BYTES = 16_000_000;
const DEFAULT_MAX_FILE_BYTES = 16_000_000;
const STDERR_KEPT_CHARACTERS = 20_000;
const MEMORY_POLL_MS = groupMemorySource === 'process table' ? 100 : 500;

/** One run of a program. */
export interface ProgramCall {
  readonly program: string; // absolute path
  readonly arguments: readonly string[]; // given as they are: no shell
  readonly input?: readonly Uint8Array[]; // for standard input, one part after the other; without it, it is empty
  /**
   * Standard input stays open for as long as this process lives. The program has promised to end its whole group when that
   * closes: for programs that start others, which the system would not end with it.
   */
  readonly leash?: boolean;
  readonly environment?: Readonly<Record<string, string>>; // beside PATH, the locale and the place for temporary files
  readonly folder?: string; // to work in, an absolute path; without it, an empty one of its own that is removed afterwards
  readonly timeoutMs: number;
  readonly signal: Cancellation;
  readonly subject?: string; // what is worked on, as messages name it at the start of a sentence: `Page 3`
  readonly memoryLimitBytes?: number;
  /** Whether it starts other programs: then what all of them use together is watched, instead of addresses being limited. */
  readonly startsOthers?: boolean;
  readonly maxOutputBytes: number;
  readonly maxErrorBytes?: number; // 16 MB
  readonly maxFileBytes?: number; // of one file that it writes; 16 MB
}

/** How a program ended by itself. */
export interface ProgramResult {
  readonly exitCode: number | undefined; // undefined if a signal ended it
  readonly endedBy: string | undefined; // the signal
  readonly output: Buffer;
  readonly errors: string; // the end of what it wrote to standard error
  readonly elapsedMs: number; // that it ran
}

/** Windows needs SystemRoot to load libraries; nothing else of this process's environment is a program's business. */
const scrubbedEnvironment = (folder: string, given: ProgramCall['environment'] = {}): NodeJS.ProcessEnv => ({
  ...(process.env['PATH'] !== undefined && { PATH: process.env['PATH'] }),
  ...(process.env['SystemRoot'] !== undefined && { SystemRoot: process.env['SystemRoot'] }),
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TMPDIR: folder,
  TEMP: folder,
  TMP: folder,
  ...given,
});

/** Whoever answers people on this machine comes first. The program may be gone already. */
const yieldToOthers = (pid: number): void => {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    if (!(error instanceof Error && 'info' in error && hasErrorCode(error, 'ERR_SYSTEM_ERROR'))) throw error;
  }
};

/** Ends the program and all that it started which did not leave its process group. */
const killGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // On macOS a group whose last process is about to be gone is answered with EPERM.
    if (!hasErrorCode(error, 'ESRCH', 'EPERM')) throw error;
  }
};

const collect = (stream: Readable | null, maxBytes: number, onTooMuch: () => void): Buffer[] => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) onTooMuch();
    else chunks.push(chunk);
  });
  return chunks;
};

/** Standard error: the end is kept, so that a program which talks a lot takes no memory here. */
const collectEnd = (stream: Readable | null, maxBytes: number, onTooMuch: () => void): (() => string) => {
  let [end, bytes] = ['', 0];
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    end = (end + chunk.toString('latin1')).slice(-STDERR_KEPT_CHARACTERS);
    if (bytes > maxBytes) onTooMuch();
  });
  return () => Buffer.from(end, 'latin1').toString('utf8');
};

const runIn = async (folder: string, call: ProgramCall): Promise<ProgramResult> => {
  const { timeoutMs, signal, memoryLimitBytes, startsOthers = false, subject = 'the page', leash = false } = call;
  const confiners = await confinersHere();
  signal.throwIfAborted();
  const failures = failuresOf(subject);
  const begun = performance.now();
  const limits = {
    addressSpaceBytes: startsOthers ? undefined : memoryLimitBytes, // engines with a heap of their own reserve far more than they use
    processorSeconds: Math.ceil(timeoutMs / 1000) + 1,
    maxFileBytes: call.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES,
    diesWithParent: !leash,
  };
  const [command = call.program, ...args] = confined([call.program, ...call.arguments], confiners, limits);
  const child = spawn(command, args, {
    cwd: folder,
    env: scrubbedEnvironment(folder, call.environment),
    detached: process.platform !== 'win32', // a process group of its own, to be killed as a whole
    windowsHide: true,
    stdio: [call.input === undefined && !leash ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let failure: { readonly error: unknown } | undefined;
  const giveUp = (error: unknown): void => {
    failure ??= { error };
    killGroup(child);
    // What left the group may hold them open for ever.
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const onAbort = (): void => giveUp(signal.reason);
  const deadline = setTimeout(() => giveUp(failures.timedOut(timeoutMs)), timeoutMs);
  const checkMemory = async (limit: number): Promise<void> => {
    if (child.pid !== undefined && (await groupResidentBytes(child.pid)) > limit) giveUp(failures.outOfMemory(limit));
  };
  const isWatched = memoryLimitBytes !== undefined && (startsOthers || confiners.prlimit === undefined);
  const memoryWatch = isWatched
    ? setInterval(() => void checkMemory(memoryLimitBytes).catch(giveUp), MEMORY_POLL_MS)
    : undefined;
  signal.addEventListener('abort', onAbort, { once: true });
  const tooMuch = (): void => giveUp(failures.crashed('It wrote more than it may.'));
  const output = collect(child.stdout, call.maxOutputBytes, tooMuch);
  const errors = collectEnd(child.stderr, call.maxErrorBytes ?? DEFAULT_MAX_ERROR_BYTES, tooMuch);
  // A program that ends before it has read all: how it ended says enough.
  child.stdin?.on('error', (error) => {
    if (!hasErrorCode(error, 'EPIPE', 'ECONNRESET', 'EOF', 'ECANCELED')) giveUp(failures.crashed(error.message));
  });
  for (const part of call.input ?? []) child.stdin?.write(part);
  if (!leash) child.stdin?.end();
  if (child.pid !== undefined) yieldToOthers(child.pid);
  try {
    const ended = await new Promise<{ code: number | null; by: string | null }>((resolve) => {
      child.once('error', (error) => {
        failure ??= { error: failures.crashed(error.message) };
        if (child.pid === undefined) resolve({ code: null, by: null }); // it was never started
      });
      child.once('exit', () => killGroup(child)); // what it has left behind
      child.once('close', (code, by) => resolve({ code, by }));
    });
    if (failure !== undefined) throw failure.error;
    if (command !== call.program && NOT_STARTED.includes(ended.code)) throw failures.crashed(errors());
    if (ended.by === 'SIGXCPU') throw failures.timedOut(timeoutMs);
    if (ended.by === 'SIGXFSZ') throw failures.crashed('It wrote a larger file than it may.');
    return {
      exitCode: ended.code ?? undefined,
      endedBy: ended.by ?? undefined,
      output: Buffer.concat(output),
      errors: errors(),
      elapsedMs: performance.now() - begun,
    };
  } finally {
    clearTimeout(deadline);
    clearInterval(memoryWatch);
    signal.removeEventListener('abort', onAbort);
    child.stdin?.destroy();
  }
};

/**
 * Runs a program to its end, in a process group of its own: argv and no shell, a scrubbed environment, a private folder,
 * limits on time, memory and what it writes. When this resolves or rejects, the program is gone with all that it started
 * in its group, and so is the folder that was made for it.
 *
 * Throws `PAGE_TIMED_OUT` past the deadline, `PAGE_OUT_OF_MEMORY` where its memory was watched and grew too large,
 * `ENGINE_CRASHED` if it cannot be started or writes more than it may; the signal's reason when it aborts. How it ended by
 * itself is the caller's to judge: a limit on memory that the system sets shows only in what the program then says.
 *
 * What holds depends on the machine ({@link describeConfinement}). Where programs cannot be told to die with this
 * process, they end when they read from their standard input or write, as that is closed, or when their processor time is up.
 */
export const runProgram = async (call: ProgramCall): Promise<ProgramResult> => {
  call.signal.throwIfAborted();
  return call.folder === undefined ? withPrivateFolder((folder) => runIn(folder, call)) : runIn(call.folder, call);
};

// What the C and C++ libraries, Leptonica, libpng, poppler and Ghostscript say when they are given no memory.
const NO_MEMORY =
  /bad_alloc|[cm]alloc fail|out of memory|insufficient memory|cannot allocate memory|unable to allocate|failed to map segment|VMerror/i;

/** Whether the program was refused memory, by what it says. It may have gone on without, and left something out. */
export const lackedMemory = ({ errors }: Pick<ProgramResult, 'errors'>): boolean => NO_MEMORY.test(errors);

/** How a program ended, for the log. */
export const describeEnd = (program: string, { exitCode, endedBy, errors }: ProgramResult): string =>
  `${program} ended by ${endedBy ?? `code ${exitCode}`}: ${errors}`;

/** What confines programs on this machine, in sentences for the log of an operator. Empty if nothing is missing. */
export const describeConfinement = async (): Promise<readonly string[]> => {
  const { prlimit, setpriv } = await confinersHere();
  const memory =
    groupMemorySource === undefined
      ? 'The memory of the programs that read pages is not limited here.'
      : 'The memory of the programs that read pages is watched from outside, as prlimit is missing; their processor time is not limited.';
  return [
    ...(prlimit === undefined ? [memory] : []),
    ...(setpriv === undefined
      ? ['Programs that read pages may outlive this process for a while if it is killed, as setpriv is missing.']
      : []),
  ];
};

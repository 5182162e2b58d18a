import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError, errorCodes } from '@palimpsest/core';
import type { Cancellation } from '@palimpsest/core';
import { hasErrorCode } from '@palimpsest/files';
import { failuresOf } from './page-failures.ts';
import { hasProcessTable, residentBytes } from './resident-memory.ts';
import { MEMORY_REPORT_VARIABLE, PARENT_ID_VARIABLE } from './wire.ts';
import type { ReportedError, ResponseMessage } from './wire.ts';

const MEMORY_POLL_MS = 100;
const STDERR_TAIL_CHARACTERS = 2000;
const MEMORY_REPORT_FD = 4;

/** The settings of a {@link Child}. */
export interface ChildOptions {
  readonly script: URL;
  readonly arguments: readonly string[];
  readonly memoryLimitBytes: number;
  readonly addons: boolean;
}

/** The limits of one request. */
export interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal: Cancellation;
  readonly subject?: string; // the thing that error messages name, for example `Page 3`
}

/**
 * A child gets only these variables, because others may contain secrets. Windows needs SystemRoot to load libraries.
 */
const scrubbedEnvironment = (): NodeJS.ProcessEnv => ({
  LANG: 'C',
  [PARENT_ID_VARIABLE]: String(process.pid),
  ...(!hasProcessTable && { [MEMORY_REPORT_VARIABLE]: String(MEMORY_REPORT_FD) }),
  ...(process.env['SystemRoot'] !== undefined && { SystemRoot: process.env['SystemRoot'] }),
});

/**
 * A decoder may neither write files nor start processes. The condition makes packages resolve to their TypeScript
 * sources.
 */
const nodeArguments = ({ script, addons }: ChildOptions): string[] => [
  ...(script.pathname.endsWith('.ts') ? ['--conditions=@palimpsest/source'] : []),
  '--permission',
  '--allow-fs-read=*',
  '--allow-worker',
  ...(addons ? ['--allow-addons'] : []),
  '--no-warnings',
];

/** One child process that answers one request at a time. */
export class Child {
  /** Resolves when the process has exited. */
  readonly exited: Promise<void>;
  uses = 0;
  /** Names the state that the child keeps between callers, for example its open file. */
  affinity: unknown;
  isUsable = true; // false: the child gets no more requests and must be killed
  readonly #process: ChildProcess;
  readonly #memoryLimitBytes: number;
  #isGone = false;
  #reportedBytes = 0;
  #stderrTail = '';
  #lastId = 0;

  constructor(options: ChildOptions) {
    this.#memoryLimitBytes = options.memoryLimitBytes;
    this.#process = fork(fileURLToPath(options.script), [...options.arguments], {
      cwd: parse(process.execPath).root, // an engine that opens a bare file name must not find a file of the service
      detached: true, // starts a process group, so that `kill` ends the child with all its processes
      env: scrubbedEnvironment(),
      execArgv: nodeArguments(options),
      serialization: 'advanced',
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(hasProcessTable ? [] : (['pipe'] as const))],
    });
    this.exited = new Promise((resolve) => {
      const onGone = (): void => {
        this.#isGone = true;
        this.isUsable = false;
        resolve();
      };
      this.#process.once('exit', onGone);
      this.#process.on('error', (error) => {
        this.#keepTail(error.message);
        if (this.#process.pid === undefined) onGone(); // the process could not be started
      });
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => this.#keepTail(text));
    this.#process.stdio[MEMORY_REPORT_FD]?.on('data', (report: Buffer) => {
      this.#reportedBytes = Number(report.toString().trim().split('\n').at(-1));
    });
  }

  /** Sends a request and returns the answer. After a timeout, a crash or an abort, the child is no longer usable. */
  async request<Answer>(
    request: unknown,
    { timeoutMs, signal, subject = 'the page' }: RequestOptions,
  ): Promise<Answer> {
    signal.throwIfAborted();
    const id = ++this.#lastId;
    const failures = failuresOf(subject);
    const answer = Promise.withResolvers<Answer>();
    const fail = (failure: unknown): void => {
      this.kill();
      answer.reject(failure);
    };
    const onMessage = (message: ResponseMessage<Answer>): void => {
      if (message.id !== id) return;
      if ('error' in message) answer.reject(this.#toError(message.error, subject));
      else answer.resolve(message.result);
    };
    const onExit = (): void => answer.reject(failures.crashed(this.#stderrTail));
    const onAbort = (): void => fail(signal.reason);
    const deadline = setTimeout(() => fail(failures.timedOut(timeoutMs)), timeoutMs);
    const checkMemory = async (): Promise<void> => {
      if ((await this.residentBytes()) > this.#memoryLimitBytes) fail(failures.outOfMemory(this.#memoryLimitBytes));
    };
    const memoryWatch = setInterval(() => void checkMemory().catch(fail), MEMORY_POLL_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#process.on('message', onMessage);
    this.#keepHostAlive(true);
    this.#process.on('exit', onExit);
    try {
      if (this.#isGone || !this.#process.connected) onExit();
      else {
        this.#process.send({ id, request }, (error) => {
          if (error !== null) fail(failures.crashed(error.message));
        });
      }
      return await answer.promise;
    } finally {
      clearTimeout(deadline);
      clearInterval(memoryWatch);
      signal.removeEventListener('abort', onAbort);
      this.#process.off('message', onMessage);
      this.#process.off('exit', onExit);
      this.#keepHostAlive(false);
    }
  }

  /** The current resident memory of the process; 0 if it has exited. */
  async residentBytes(): Promise<number> {
    if (this.#process.pid === undefined || this.#isGone) return 0;
    return hasProcessTable ? residentBytes(this.#process.pid) : this.#reportedBytes;
  }

  /** Kills the process and every process that it has started. Safe to repeat. */
  kill(): void {
    this.isUsable = false;
    const { pid } = this.#process;
    if (this.#isGone || pid === undefined) return;
    this.#process.ref(); // callers may wait for `exited`
    try {
      if (process.platform === 'win32') this.#process.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if (!hasErrorCode(error, 'ESRCH')) throw error;
    }
  }

  #toError({ code, message, cause, isChildUsable }: ReportedError, subject: string): AppError {
    if (!isChildUsable) this.isUsable = false;
    const known = errorCodes.find((errorCode) => errorCode === code);
    if (known === undefined) return failuresOf(subject).crashed(message);
    return new AppError(known, message, cause === undefined ? {} : { cause: new Error(cause) });
  }

  #keepTail(text: string): void {
    this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
  }

  /** Only a busy child keeps this process alive. */
  #keepHostAlive(isBusy: boolean): void {
    const method = isBusy ? 'ref' : 'unref';
    this.#process[method]();
    this.#process.channel?.[method]();
    for (const stream of this.#process.stdio) if (stream instanceof Socket) stream[method]();
  }
}

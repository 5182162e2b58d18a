import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError, errorCodes } from '@palimpsest/core';
import type { Cancellation } from '@palimpsest/core';
import { failuresOf } from './page-failures.ts';
import { hasErrorCode } from './system-error.ts';
import { hasProcessTable, residentBytes } from './resident-memory.ts';
import { MEMORY_REPORT_VARIABLE, PARENT_ID_VARIABLE } from './wire.ts';
import type { Refusal, ResponseMessage } from './wire.ts';

const MEMORY_POLL_MS = 100;
const STDERR_TAIL_CHARACTERS = 2000;
const MEMORY_REPORT_FD = 4;

export interface ChildOptions {
  readonly script: URL;
  readonly arguments: readonly string[];
  readonly memoryLimitBytes: number;
  readonly addons: boolean;
}

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal: Cancellation;
  readonly subject?: string; // what is worked on, as messages name it at the start of a sentence: `Page 3`
}

/** Windows needs SystemRoot to load libraries; nothing else of this process's environment is a child's business. */
const scrubbedEnvironment = (): NodeJS.ProcessEnv => ({
  LANG: 'C',
  [PARENT_ID_VARIABLE]: String(process.pid),
  ...(!hasProcessTable && { [MEMORY_REPORT_VARIABLE]: String(MEMORY_REPORT_FD) }),
  ...(process.env['SystemRoot'] !== undefined && { SystemRoot: process.env['SystemRoot'] }),
});

/** No writing of files, no further processes: a decoder needs neither. Sources need the condition that they are run under. */
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
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
  uses = 0;
  /** What the child holds ready, so that the next request for the same finds it. */
  affinity: unknown;
  isSpoilt = false; // to be ended, not used again
  readonly #process: ChildProcess;
  readonly #memoryLimitBytes: number;
  #isGone = false;
  #reportedBytes = 0;
  #stderrTail = '';
  #lastId = 0;

  constructor(options: ChildOptions) {
    this.#memoryLimitBytes = options.memoryLimitBytes;
    this.#process = fork(fileURLToPath(options.script), [...options.arguments], {
      cwd: parse(process.execPath).root, // nothing of ours lies there, should an engine write or read by a bare name
      detached: true, // a process group of its own, to be killed as a whole
      env: scrubbedEnvironment(),
      execArgv: nodeArguments(options),
      serialization: 'advanced',
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(hasProcessTable ? [] : (['pipe'] as const))],
    });
    this.exited = new Promise((resolve) => {
      const leave = (): void => {
        this.#isGone = true;
        this.isSpoilt = true;
        resolve();
      };
      this.#process.once('exit', leave);
      this.#process.on('error', (error) => {
        this.#keepTail(error.message);
        if (this.#process.pid === undefined) leave(); // it was never started
      });
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => this.#keepTail(text));
    this.#process.stdio[MEMORY_REPORT_FD]?.on('data', (report: Buffer) => {
      this.#reportedBytes = Number(report.toString().trim().split('\n').at(-1));
    });
  }

  /** Sends a request and resolves with its answer. The child is spoilt by every failure but a plain refusal. */
  async request<Answer>(
    request: unknown,
    { timeoutMs, signal, subject = 'the page' }: RequestOptions,
  ): Promise<Answer> {
    signal.throwIfAborted();
    const id = ++this.#lastId;
    const failures = failuresOf(subject);
    const answer = Promise.withResolvers<Answer>();
    const give = (failure: unknown): void => {
      this.kill();
      answer.reject(failure);
    };
    const onMessage = (message: ResponseMessage<Answer>): void => {
      if (message.id !== id) return;
      if ('refusal' in message) answer.reject(this.#failure(message.refusal, subject));
      else answer.resolve(message.result);
    };
    const onExit = (): void => answer.reject(failures.crashed(this.#stderrTail));
    const onAbort = (): void => give(signal.reason);
    const deadline = setTimeout(() => give(failures.timedOut(timeoutMs)), timeoutMs);
    const checkMemory = async (): Promise<void> => {
      if ((await this.residentBytes()) > this.#memoryLimitBytes) give(failures.outOfMemory(this.#memoryLimitBytes));
    };
    const memoryWatch = setInterval(() => void checkMemory().catch(give), MEMORY_POLL_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#process.on('message', onMessage);
    this.#hold(true);
    this.#process.on('exit', onExit);
    try {
      if (this.#isGone || !this.#process.connected) onExit();
      else {
        this.#process.send({ id, request }, (error) => {
          if (error !== null) give(failures.crashed(error.message));
        });
      }
      return await answer.promise;
    } finally {
      clearTimeout(deadline);
      clearInterval(memoryWatch);
      signal.removeEventListener('abort', onAbort);
      this.#process.off('message', onMessage);
      this.#process.off('exit', onExit);
      this.#hold(false);
    }
  }

  /** Resident memory now. */
  async residentBytes(): Promise<number> {
    if (this.#process.pid === undefined || this.#isGone) return 0;
    return hasProcessTable ? residentBytes(this.#process.pid) : this.#reportedBytes;
  }

  /** Ends the process and whatever it started, at once. Safe to repeat. */
  kill(): void {
    this.isSpoilt = true;
    const { pid } = this.#process;
    if (this.#isGone || pid === undefined) return;
    this.#process.ref(); // whoever waits for `exited` shall see it
    try {
      if (process.platform === 'win32') this.#process.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if (!hasErrorCode(error, 'ESRCH')) throw error;
    }
  }

  #failure({ code, message, cause, spoilt }: Refusal, subject: string): AppError {
    if (spoilt) this.isSpoilt = true;
    const known = errorCodes.find((errorCode) => errorCode === code);
    if (known === undefined) return failuresOf(subject).crashed(message);
    return new AppError(known, message, cause === undefined ? {} : { cause: new Error(cause) });
  }

  #keepTail(text: string): void {
    this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
  }

  /** Only a child at work keeps this process running. */
  #hold(isBusy: boolean): void {
    const method = isBusy ? 'ref' : 'unref';
    this.#process[method]();
    this.#process.channel?.[method]();
    for (const stream of this.#process.stdio) if (stream instanceof Socket) stream[method]();
  }
}

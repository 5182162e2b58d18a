import { AppError } from '@palimpsest/core';
import type { Cancellation } from '@palimpsest/core';
import { Child } from './child.ts';
import type { RequestOptions } from './child.ts';

export type { RequestOptions } from './child.ts';

export interface ChildPoolOptions {
  readonly script: URL; // a module that calls `serveRequests`
  readonly size: number; // children at once, >= 1
  readonly arguments?: readonly string[]; // of the script
  readonly memoryLimitBytes?: number; // resident memory at which a child at work is killed
  readonly restingBytes?: number; // a child that keeps more than this after its work is replaced
  readonly maxUses?: number; // a child is replaced after so many uses
  readonly idleMs?: number; // a child without work for so long is ended
  readonly addons?: boolean; // whether the script loads native modules
}

/** A child in the hands of one caller. */
export interface HeldChild {
  /** What the last holder left as `affinity`: the caller may rely on what it then gave the child, and set it anew. */
  affinity: unknown;
  /**
   * Sends a request (whatever the structured clone algorithm copies) and resolves with the answer. Throws what the
   * script throws if it is an `AppError`; `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY`, `ENGINE_CRASHED`; the signal's reason.
   */
  request<Answer>(request: unknown, options: RequestOptions): Promise<Answer>;
}

interface Waiter {
  readonly affinity: unknown;
  readonly give: (child: Child) => void;
  readonly refuse: (reason: unknown) => void;
}

const DEFAULT_MEMORY_LIMIT_BYTES = 700_000_000;
const DEFAULT_RESTING_BYTES = 350_000_000;
const DEFAULT_MAX_USES = 200;
const DEFAULT_IDLE_MS = 60_000;

/**
 * Child processes that run engines and decoders which may hang, grow or crash. At most `size` live at once, each serves
 * one caller at a time, and callers wait their turn. A child that failed is killed with its process group and replaced
 * at the next need. Children die with this process.
 */
export class ChildPool {
  readonly #options: ChildPoolOptions;
  readonly #children = new Set<Child>();
  readonly #idle = new Map<Child, NodeJS.Timeout>();
  readonly #waiting: Waiter[] = [];
  #isClosed = false;

  constructor(options: ChildPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs `task` with a child that no one else uses meanwhile: an idle one with this `affinity` if there is one. Waiting
   * ends with the signal's reason if it aborts. `SERVICE_UNAVAILABLE` once the pool is closed.
   */
  async use<T>(affinity: unknown, signal: Cancellation, task: (child: HeldChild) => Promise<T>): Promise<T> {
    const child = await this.#acquire(affinity, signal);
    child.uses++;
    try {
      return await task(child);
    } finally {
      await this.#release(child);
    }
  }

  /** Sends one request to any child. */
  run<Answer>(request: unknown, options: RequestOptions): Promise<Answer> {
    return this.use(undefined, options.signal, (child) => child.request<Answer>(request, options));
  }

  /** Ends all children, at work or not, and waits until they are gone. Safe to repeat. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(this.#closedError());
    for (const timer of this.#idle.values()) clearTimeout(timer);
    for (const child of this.#children) child.kill();
    await Promise.all([...this.#children].map((child) => child.exited));
  }

  async #acquire(affinity: unknown, signal: Cancellation): Promise<Child> {
    signal.throwIfAborted();
    if (this.#isClosed) throw this.#closedError();
    const idle = this.#takeIdle(affinity);
    if (idle !== undefined) return idle;
    const { promise, resolve, reject } = Promise.withResolvers<Child>();
    const waiter: Waiter = { affinity, give: resolve, refuse: reject };
    const onAbort = (): void => {
      const place = this.#waiting.indexOf(waiter);
      if (place !== -1) this.#waiting.splice(place, 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(waiter);
    this.#serveWaiting();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #takeIdle(affinity: unknown): Child | undefined {
    const idle = [...this.#idle.keys()].filter((child) => !child.isSpoilt);
    const child = idle.find((child) => affinity !== undefined && child.affinity === affinity) ?? idle[0];
    if (child === undefined) return undefined;
    clearTimeout(this.#idle.get(child));
    this.#idle.delete(child);
    return child;
  }

  /** Starts children for those who wait, as long as there is room. A child that is being ended still takes its room. */
  #serveWaiting(): void {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const child = this.#takeIdle(this.#waiting[0]?.affinity) ?? this.#start();
      if (child === undefined) return;
      this.#waiting.shift()?.give(child);
    }
  }

  #start(): Child | undefined {
    if (this.#children.size >= this.#options.size) return undefined;
    const child = new Child({
      script: this.#options.script,
      arguments: this.#options.arguments ?? [],
      memoryLimitBytes: this.#options.memoryLimitBytes ?? DEFAULT_MEMORY_LIMIT_BYTES,
      addons: this.#options.addons ?? false,
    });
    this.#children.add(child);
    void this.#forgetWhenGone(child);
    return child;
  }

  async #forgetWhenGone(child: Child): Promise<void> {
    await child.exited;
    clearTimeout(this.#idle.get(child));
    this.#idle.delete(child);
    this.#children.delete(child);
    this.#serveWaiting();
  }

  async #release(child: Child): Promise<void> {
    const {
      restingBytes = DEFAULT_RESTING_BYTES,
      maxUses = DEFAULT_MAX_USES,
      idleMs = DEFAULT_IDLE_MS,
    } = this.#options;
    const isWorn = child.isSpoilt || child.uses >= maxUses || (await child.residentBytes()) > restingBytes;
    if (isWorn || this.#isClosed) {
      child.kill();
      return;
    }
    this.#idle.set(child, setTimeout(() => child.kill(), idleMs).unref());
    this.#serveWaiting();
  }

  #closedError(): AppError {
    return new AppError('SERVICE_UNAVAILABLE', 'The service is shutting down. The page will be read later.');
  }
}

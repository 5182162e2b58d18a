import { AppError, FairSemaphore } from '@palimpsest/core';
import type { Cancellation } from '@palimpsest/core';
import { Child } from './child.ts';
import type { RequestOptions } from './child.ts';

export type { RequestOptions } from './child.ts';

/** The settings of a {@link ChildPool}. */
export interface ChildPoolOptions {
  readonly script: URL; // a module that calls `serveRequests`
  readonly size: number; // child processes at the same time, 1 or more
  readonly arguments?: readonly string[]; // command-line arguments of the script
  readonly memoryLimitBytes?: number; // resident memory above which a busy child is killed; default: 700 MB
  readonly maxIdleBytes?: number; // resident memory above which an idle child is replaced; default: 350 MB
  readonly maxUses?: number; // uses after which a child is replaced; default: 200
  readonly idleMs?: number; // time without work after which a child is ended; default: one minute
  readonly addons?: boolean; // whether the script loads native modules; default: false
}

/** A child that is reserved for one caller until its task ends. */
export interface ReservedChild {
  /**
   * Names the state that the child keeps between callers, for example its open file. The caller sets it; until then, it
   * has the value that the previous caller set. {@link ChildPool.use} prefers an idle child with the wanted affinity.
   */
  affinity: unknown;
  /**
   * Sends a request and returns the answer. Both may be any value that the structured clone algorithm copies. Throws
   * the script's error if that is an `AppError`; else `PAGE_TIMED_OUT`, `PAGE_OUT_OF_MEMORY`, `ENGINE_CRASHED`, or the
   * reason of the signal.
   */
  request<Answer>(request: unknown, options: RequestOptions): Promise<Answer>;
}

const DEFAULT_MEMORY_LIMIT_BYTES = 700_000_000;
const DEFAULT_MAX_IDLE_BYTES = 350_000_000;
const DEFAULT_MAX_USES = 200;
const DEFAULT_IDLE_MS = 60_000;
const OWNER = 'children'; // with only one owner, the semaphore serves callers in the order of their calls

/**
 * A pool of child processes for engines and decoders that may hang, leak memory or crash. At most `size` children live
 * at the same time, and each one serves one caller at a time. A child that failed is killed with its process group; the
 * next caller gets a new one. The children end when this process ends.
 */
export class ChildPool {
  readonly #options: ChildPoolOptions;
  readonly #semaphore: FairSemaphore;
  readonly #children = new Set<Child>();
  readonly #idle = new Map<Child, NodeJS.Timeout>();
  #closed: AppError | undefined;

  constructor(options: ChildPoolOptions) {
    this.#options = options;
    this.#semaphore = new FairSemaphore({ slots: options.size });
  }

  /**
   * Runs `task` with a child that serves no other caller in the meantime. Takes an idle child with this `affinity` if
   * there is one. Throws the signal's reason if the signal aborts while the caller waits, and `SERVICE_UNAVAILABLE`
   * once the pool is closed.
   */
  use<T>(affinity: unknown, signal: Cancellation, task: (child: ReservedChild) => Promise<T>): Promise<T> {
    const withChild = async (): Promise<T> => {
      const child = await this.#reserve(affinity);
      child.uses++;
      try {
        return await task(child);
      } finally {
        await this.#release(child);
      }
    };
    return this.#semaphore.run(OWNER, withChild, signal);
  }

  /** Sends one request to any child. */
  run<Answer>(request: unknown, options: RequestOptions): Promise<Answer> {
    return this.use(undefined, options.signal, (child) => child.request<Answer>(request, options));
  }

  /** Rejects the waiting callers, kills all children and waits until they have exited. Safe to repeat. */
  async close(): Promise<void> {
    this.#closed ??= new AppError('SERVICE_UNAVAILABLE', 'The service is shutting down. The page will be read later.');
    this.#semaphore.close(this.#closed);
    for (const timer of this.#idle.values()) clearTimeout(timer);
    for (const child of this.#children) child.kill();
    await Promise.all([...this.#children].map((child) => child.exited));
  }

  /**
   * Reserves an idle child or starts one. The caller has a slot, so fewer than `size` children are busy: one is idle,
   * or a new one can start as soon as a killed one has exited.
   */
  async #reserve(affinity: unknown): Promise<Child> {
    for (;;) {
      if (this.#closed) throw this.#closed;
      const idle = [...this.#idle.keys()].filter((child) => child.isUsable);
      const child = idle.find((each) => affinity !== undefined && each.affinity === affinity) ?? idle[0];
      if (child !== undefined) {
        clearTimeout(this.#idle.get(child));
        this.#idle.delete(child);
        return child;
      }
      if (this.#children.size < this.#options.size) return this.#start();
      await Promise.race([...this.#children].filter((each) => !each.isUsable).map((each) => each.exited));
    }
  }

  #start(): Child {
    const child = new Child({
      script: this.#options.script,
      arguments: this.#options.arguments ?? [],
      memoryLimitBytes: this.#options.memoryLimitBytes ?? DEFAULT_MEMORY_LIMIT_BYTES,
      addons: this.#options.addons ?? false,
    });
    this.#children.add(child);
    void child.exited.then(() => {
      clearTimeout(this.#idle.get(child));
      this.#idle.delete(child);
      this.#children.delete(child);
    });
    return child;
  }

  async #release(child: Child): Promise<void> {
    const {
      maxIdleBytes = DEFAULT_MAX_IDLE_BYTES,
      maxUses = DEFAULT_MAX_USES,
      idleMs = DEFAULT_IDLE_MS,
    } = this.#options;
    const needsReplacement = child.uses >= maxUses || (await child.residentBytes()) > maxIdleBytes;
    if (needsReplacement || !child.isUsable || this.#closed) {
      child.kill();
      return;
    }
    this.#idle.set(child, setTimeout(() => child.kill(), idleMs).unref());
  }
}

import type { Cancellation } from '../units.ts';

/** The limits of a {@link FairSemaphore}. An absent limit does not apply. */
export interface FairSemaphoreLimits {
  readonly slots?: number; // tasks that run at once, 1 or more
  readonly slotsPerOwner?: number; // of one owner, 1 or more
  readonly maxWaiting?: number; // callers that wait at once, 0 or more
  readonly maxWaitingPerOwner?: number; // of one owner, 0 or more
}

/** Returns a slot. Later calls have no effect. */
export type Release = () => void;

interface Waiter {
  readonly grant: (release: Release) => void;
  readonly reject: (reason: unknown) => void;
}

/** The tasks of one owner: those that run, and the callers that wait, in the order of the calls. */
interface OwnerState {
  running: number;
  readonly waiting: Set<Waiter>;
}

/**
 * A fair semaphore: the next free slot goes to the owner with the fewest running tasks; among equals, to the owner that
 * has waited longest since its first call or its last slot. The callers of one owner are served in the order of their
 * calls. With a constant owner it is a concurrency limit; with `slotsPerOwner: 1` it is a lock per owner.
 */
export class FairSemaphore {
  readonly #slots: number;
  readonly #slotsPerOwner: number;
  readonly #maxWaiting: number;
  readonly #maxWaitingPerOwner: number;
  readonly #full: (waiting: number) => Error;
  readonly #owners = new Map<string, OwnerState>(); // the owner that has waited longest is first
  #running = 0;
  #waiting = 0;
  #closed: { readonly reason: unknown } | undefined;

  /** `full` creates the error for a caller that may not wait; its argument is the number of waiting callers. */
  constructor(
    limits: FairSemaphoreLimits,
    full: (waiting: number) => Error = () => new Error('Too many callers wait'),
  ) {
    this.#slots = limits.slots ?? Infinity;
    this.#slotsPerOwner = limits.slotsPerOwner ?? Infinity;
    this.#maxWaiting = limits.maxWaiting ?? Infinity;
    this.#maxWaitingPerOwner = limits.maxWaitingPerOwner ?? Infinity;
    this.#full = full;
  }

  /** Runs `task` in a slot and returns its result. Throws the errors of {@link acquire} and of `task`. */
  async run<T>(owner: string, task: () => Promise<T>, signal?: Cancellation): Promise<T> {
    const release = await this.acquire(owner, signal);
    try {
      signal?.throwIfAborted(); // the signal may have aborted after the slot was granted
      return await task();
    } finally {
      release();
    }
  }

  /**
   * Waits for a slot. Throws the error of `full` at once when too many callers wait already, and the reason of `signal`
   * when it aborts before the slot is granted.
   */
  async acquire(owner: string, signal?: Cancellation): Promise<Release> {
    signal?.throwIfAborted();
    if (this.#closed) throw this.#closed.reason;
    const state = this.#stateOf(owner);
    if (this.#hasSlotFor(state)) return this.#start(owner, state);
    if (state.waiting.size >= this.#maxWaitingPerOwner) throw this.#full(state.waiting.size);
    if (this.#waiting >= this.#maxWaiting) throw this.#full(this.#waiting);
    return this.#wait(owner, state, signal);
  }

  /** Rejects all waiting callers and all later calls with `reason`. Running tasks are not affected. */
  close(reason: unknown): void {
    this.#closed ??= { reason };
    const waiters = [...this.#owners.values()].flatMap((state) => [...state.waiting]);
    for (const waiter of waiters) waiter.reject(reason);
  }

  async #wait(owner: string, state: OwnerState, signal: Cancellation | undefined): Promise<Release> {
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const waiter: Waiter = { grant: resolve, reject };
    const onAbort = (): void => reject(signal?.reason);
    state.waiting.add(waiter);
    this.#owners.set(owner, state);
    this.#waiting++;
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await promise;
    } catch (error) {
      state.waiting.delete(waiter);
      this.#waiting--;
      this.#forgetIfIdle(owner, state);
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #stateOf(owner: string): OwnerState {
    return this.#owners.get(owner) ?? { running: 0, waiting: new Set() };
  }

  #hasSlotFor(state: OwnerState): boolean {
    return this.#running < this.#slots && state.running < this.#slotsPerOwner;
  }

  #start(owner: string, state: OwnerState): Release {
    state.running++;
    this.#running++;
    this.#owners.delete(owner);
    this.#owners.set(owner, state); // last in the map: this owner was served most recently
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      state.running--;
      this.#running--;
      this.#forgetIfIdle(owner, state);
      this.#grantFreeSlots();
    };
  }

  // A slot is granted when it becomes free, so that a later call cannot overtake a waiting caller.
  #grantFreeSlots(): void {
    for (;;) {
      const next = this.#nextOwner();
      const [waiter] = next?.state.waiting ?? [];
      if (next === undefined || waiter === undefined) return;
      next.state.waiting.delete(waiter);
      this.#waiting--;
      waiter.grant(this.#start(next.owner, next.state));
    }
  }

  #nextOwner(): { readonly owner: string; readonly state: OwnerState } | undefined {
    let next: { readonly owner: string; readonly state: OwnerState } | undefined;
    for (const [owner, state] of this.#owners) {
      if (state.waiting.size === 0 || !this.#hasSlotFor(state)) continue;
      if (next === undefined || state.running < next.state.running) next = { owner, state };
    }
    return next;
  }

  #forgetIfIdle(owner: string, state: OwnerState): void {
    if (state.running === 0 && state.waiting.size === 0 && this.#owners.get(owner) === state)
      this.#owners.delete(owner);
  }
}

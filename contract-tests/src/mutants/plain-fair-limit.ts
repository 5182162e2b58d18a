import { AppError, type FairLimit } from '@palimpsest/core';

/** A task that waits: whose it is, and what gives it a place. */
export interface WaitingTask {
  readonly ownerId: string;
  readonly begin: () => void;
}

/** What a limit knows. */
export interface FairLimitState {
  readonly waiting: WaitingTask[]; // in the order of the calls
  readonly running: string[]; // the owners of what runs
  readonly turns: string[]; // of owners, the next first; each once
  free: number;
}

/** What a limit does, step by step. */
export interface FairLimitRules {
  /** Whether one more task of the owner may wait. */
  readonly mayWait: (state: FairLimitState, ownerId: string) => boolean;
  /** Gives the owner of one that begins to wait its turn. */
  readonly giveTurn: (state: FairLimitState, ownerId: string) => void;
  /** Who is next. */
  readonly choose: (state: FairLimitState) => WaitingTask | undefined;
  /** Forgets one that gave up. */
  readonly forget: (state: FairLimitState, task: WaitingTask) => void;
  /** Frees the place of a task that has ended. */
  readonly freePlace: (state: FairLimitState, handOver: () => boolean) => void;
  /** Whether a task whose signal aborted when it had its place already is still run, left out, or left out with its place. */
  readonly whenLate: 'run' | 'leave out' | 'lose place';
}

export const waitingOf = ({ waiting }: FairLimitState, ownerId: string): readonly WaitingTask[] =>
  waiting.filter((task) => task.ownerId === ownerId);

export const withoutTask = (state: FairLimitState, task: WaitingTask): void => {
  const index = state.waiting.indexOf(task);
  if (index >= 0) state.waiting.splice(index, 1);
};

/** A sound limit of three places where five tasks of an owner may wait, step by step. */
export const soundRules: FairLimitRules = {
  mayWait: (state, ownerId) => waitingOf(state, ownerId).length < 5,
  giveTurn: ({ turns }, ownerId) => {
    if (!turns.includes(ownerId)) turns.push(ownerId);
  },
  choose: (state) => {
    const ownerId = state.turns.find((each) => waitingOf(state, each).length > 0);
    return ownerId === undefined ? undefined : waitingOf(state, ownerId)[0];
  },
  forget: withoutTask,
  freePlace: (state, handOver) => {
    if (!handOver()) state.free++;
  },
  whenLate: 'leave out',
};

/** A limit that keeps to such rules. */
export const plainFairLimit = (rules: FairLimitRules): FairLimit => {
  const state: FairLimitState = { waiting: [], running: [], turns: [], free: 3 };

  const handOver = (): boolean => {
    const next = rules.choose(state);
    if (next === undefined) return false;
    withoutTask(state, next);
    const others = state.turns.filter((ownerId) => ownerId !== next.ownerId && waitingOf(state, ownerId).length > 0);
    const again = waitingOf(state, next.ownerId).length > 0 ? [next.ownerId] : [];
    state.turns.splice(0, Infinity, ...others, ...again);
    next.begin();
    return true;
  };

  const place = async (ownerId: string, signal: Parameters<FairLimit['run']>[2]): Promise<void> => {
    if (!rules.mayWait(state, ownerId))
      throw new AppError('RATE_LIMITED', 'Too much waits already.', { retryAfterMs: 1000 });
    await new Promise<void>((resolve, reject) => {
      const task = { ownerId, begin: resolve };
      state.waiting.push(task);
      rules.giveTurn(state, ownerId);
      const abort = (): void => {
        if (state.waiting.includes(task)) rules.forget(state, task);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
    });
  };

  return {
    run: async (ownerId, task, signal) => {
      signal.throwIfAborted();
      if (state.free > 0) state.free--;
      else await place(ownerId, signal);
      if (rules.whenLate === 'lose place') signal.throwIfAborted();
      state.running.push(ownerId);
      try {
        if (rules.whenLate === 'leave out') signal.throwIfAborted();
        return await task();
      } finally {
        state.running.splice(state.running.indexOf(ownerId), 1);
        rules.freePlace(state, handOver);
      }
    },
  };
};

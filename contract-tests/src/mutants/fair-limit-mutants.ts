import { AppError, isAppError, type FairLimit } from '@palimpsest/core';
import { mutant, type Mutant, type Mutants } from './mutant.ts';
import { plainFairLimit, soundRules, waitingOf, withoutTask, type FairLimitRules } from './plain-fair-limit.ts';

type Run = FairLimit['run'];

const going = new AbortController().signal;

const plain = (change: (run: Run) => Run): Mutant<FairLimit> =>
  mutant(() => (sound) => ({ run: change((ownerId, task, signal) => sound.run(ownerId, task, signal)) }));

/** A limit of its own that breaks some rules. */
const breaking = (broken: Partial<FairLimitRules>): Mutant<FairLimit> =>
  mutant(() => {
    const limit = plainFairLimit({ ...soundRules, ...broken });
    return () => ({ run: (ownerId, task, signal) => limit.run(ownerId, task, signal) });
  });

/** Changes what is thrown when it is `isMeant`. */
const throwing = (
  isMeant: (error: unknown, isAborted: boolean) => boolean,
  answer: (error: unknown) => never,
): Mutant<FairLimit> =>
  plain((run) => async (ownerId, task, signal) => {
    try {
      return await run(ownerId, task, signal);
    } catch (error) {
      if (isMeant(error, signal.aborted)) answer(error);
      throw error;
    }
  });

/** What the mutants that break rules are made of. */
export const plainFairLimits: Mutant<FairLimit> = breaking({});

/** Broken limits, by what is wrong with them. */
export const fairLimitMutants: Mutants<FairLimit> = {
  'has no limit': plain(() => async (_ownerId, task) => task()),
  'runs one at a time': mutant<FairLimit>(() => {
    let last: Promise<unknown> = Promise.resolve();
    return () => ({
      run: (_ownerId, task) => {
        const result = last.then(task, task);
        last = result;
        return result;
      },
    });
  }),
  'has three places for each owner': mutant(() => {
    const limits = new Map<string, FairLimit>();
    return () => ({
      run: (ownerId, task, signal) => {
        const limit = limits.get(ownerId) ?? plainFairLimit(soundRules);
        limits.set(ownerId, limit);
        return limit.run(ownerId, task, signal);
      },
    });
  }),
  'never begins': plain(() => () => new Promise(() => undefined)),
  'runs a task twice': plain((run) => async (ownerId, task, signal) => {
    await run(ownerId, task, signal);
    return run(ownerId, task, signal);
  }),
  'loses the place of a task that throws at once': plain(
    (run) => (ownerId, task, signal) =>
      new Promise((resolve, reject) => {
        const begin = (): ReturnType<typeof task> => {
          try {
            return task();
          } catch (error) {
            reject(error);
            return new Promise(() => undefined);
          }
        };
        run(ownerId, begin, signal).then(resolve, reject);
      }),
  ),
  'wraps what the task throws': plain(
    (run) => (ownerId, task, signal) =>
      run(
        ownerId,
        async () => {
          try {
            return await task();
          } catch (error) {
            throw new Error('The task failed', { cause: error });
          }
        },
        signal,
      ),
  ),

  'serves in the order of the calls': breaking({ choose: ({ waiting }) => waiting[0] }),
  'serves the last first': breaking({ choose: ({ waiting }) => waiting.at(-1) }),
  'serves one owner until nothing of it waits': breaking({
    choose: (state) => waitingOf(state, state.turns.at(-1) ?? '')[0] ?? soundRules.choose(state),
  }),
  'serves owners in turn, each from the last on': breaking({
    choose: (state) => waitingOf(state, soundRules.choose(state)?.ownerId ?? '').at(-1),
  }),
  'serves owners by their names': breaking({
    choose: ({ waiting }) =>
      waiting.toSorted((one, other) => (one.ownerId < other.ownerId ? -1 : Number(one.ownerId > other.ownerId)))[0],
  }),
  'serves who has least that waits': breaking({
    choose: (state) =>
      state.waiting.toSorted(
        (one, other) => waitingOf(state, one.ownerId).length - waitingOf(state, other.ownerId).length,
      )[0],
  }),
  'serves the owner first that came last': breaking({
    giveTurn: ({ turns }, ownerId) => {
      if (!turns.includes(ownerId)) turns.unshift(ownerId);
    },
  }),
  'takes the turn from an owner who asks again': breaking({
    giveTurn: ({ turns }, ownerId) => {
      turns.splice(0, Infinity, ...turns.filter((each) => each !== ownerId), ownerId);
    },
  }),
  'takes owners alike whose names differ by case': plain(
    (run) => (ownerId, task, signal) => run(ownerId.toLowerCase(), task, signal),
  ),
  'takes one without a name for everybody': plain(
    (run) => (ownerId, task, signal) => run(ownerId.trim() || 'everybody', task, signal),
  ),
  'keeps owners in a bare object': mutant(() => {
    const counts: Record<string, number> = {};
    return (sound) => ({
      run: async (ownerId, task, signal) => {
        const count = (counts[ownerId] ?? 0) + 1;
        counts[ownerId] = count;
        if (!(count < 100)) throw new AppError('RATE_LIMITED', 'Too much waits already.', { retryAfterMs: 1000 });
        return sound.run(ownerId, task, signal);
      },
    });
  }),
  'lets newcomers overtake': breaking({
    freePlace: (state, handOver) => {
      // The place is free for whoever comes before the one is woken that waits.
      state.free++;
      setImmediate(() => {
        if (state.free === 0) return;
        state.free--;
        if (!handOver()) state.free++;
      });
    },
  }),
  'gives the place of one that ended to two': breaking({
    freePlace: (state, handOver) => {
      if (!handOver()) state.free++;
      else handOver();
    },
  }),
  'loses the place of a task that failed': plain(
    (run) => (ownerId, task, signal) =>
      new Promise((resolve, reject) => {
        const place = run(
          ownerId,
          async () => {
            const isFailed = await Promise.resolve()
              .then(task)
              .then(
                (value) => (resolve(value), false),
                (error: unknown) => (reject(error), true),
              );
            if (isFailed) await new Promise(() => undefined);
          },
          signal,
        );
        place.catch(reject);
      }),
  ),

  'never refuses': breaking({ mayWait: () => true }),
  'lets no task wait': breaking({ mayWait: () => false }),
  'lets one too few wait': breaking({ mayWait: (state, ownerId) => waitingOf(state, ownerId).length < 4 }),
  'lets one too many wait': breaking({ mayWait: (state, ownerId) => waitingOf(state, ownerId).length < 6 }),
  'counts what runs as well': breaking({
    mayWait: (state, ownerId) =>
      waitingOf(state, ownerId).length + state.running.filter((each) => each === ownerId).length < 5,
  }),
  'counts what waits of all owners': breaking({ mayWait: ({ waiting }) => waiting.length < 5 }),
  'counts for ever who gave up': mutant(() => {
    const left = new Map<string, number>();
    const limit = plainFairLimit({
      ...soundRules,
      mayWait: (state, ownerId) => waitingOf(state, ownerId).length + (left.get(ownerId) ?? 0) < 5,
      forget: (state, task) => {
        left.set(task.ownerId, (left.get(task.ownerId) ?? 0) + 1);
        withoutTask(state, task);
      },
    });
    return () => ({ run: (ownerId, task, signal) => limit.run(ownerId, task, signal) });
  }),
  'has who is refused wait until there is room': plain((run) => async (ownerId, task, signal) => {
    for (let tries = 0; ; tries++) {
      try {
        return await run(ownerId, task, signal);
      } catch (error) {
        if (!isAppError(error, 'RATE_LIMITED') || tries > 1_000) throw error; // not for ever, or no run would end
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }),
  'runs what it refuses': plain((run) => async (ownerId, task, signal) => {
    try {
      return await run(ownerId, task, signal);
    } catch (error) {
      if (isAppError(error, 'RATE_LIMITED')) void task();
      throw error;
    }
  }),
  'does not say when to come again': throwing(
    (error) => isAppError(error, 'RATE_LIMITED'),
    () => {
      throw new AppError('RATE_LIMITED', 'Too much waits already.');
    },
  ),
  'refuses with an error without a code': throwing(
    (error) => isAppError(error, 'RATE_LIMITED'),
    () => {
      throw new Error('Too much waits already.');
    },
  ),

  'cannot be aborted': plain((run) => (ownerId, task) => run(ownerId, task, going)),
  'looks at the signal only before': plain((run) => async (ownerId, task, signal) => {
    signal.throwIfAborted();
    return run(ownerId, task, going);
  }),
  'looks at the signal only when there is a place': plain(
    (run) => (ownerId, task, signal) =>
      run(
        ownerId,
        async () => {
          signal.throwIfAborted();
          return task();
        },
        going,
      ),
  ),
  'begins what was aborted where there is a place': plain(
    (run) => (ownerId, task, signal) => run(ownerId, task, signal.aborted ? going : signal),
  ),
  'runs what gave up while it waited': plain(
    (run) => (ownerId, task, signal) =>
      new Promise((resolve, reject) => {
        let isBegun = false;
        const leave = (): void => {
          if (!isBegun) reject(signal.reason);
        };
        if (signal.aborted) leave();
        signal.addEventListener('abort', leave, { once: true });
        const begin: typeof task = () => {
          isBegun = true;
          return task();
        };
        run(ownerId, begin, going).then(resolve, reject);
      }),
  ),
  'gives up tasks that run': plain(
    (run) => (ownerId, task, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        run(ownerId, task, signal).then(resolve, reject);
      }),
  ),
  'frees the place of a task that runs when its signal aborts': plain(
    (run) => (ownerId, task, signal) =>
      new Promise((resolve, reject) => {
        const begin = (): Promise<void> =>
          new Promise((end) => {
            signal.addEventListener('abort', () => end(), { once: true });
            Promise.resolve()
              .then(task)
              .then(resolve, reject)
              .finally(() => end());
          });
        run(ownerId, begin, signal).catch(reject);
      }),
  ),
  'throws an error of its own when it is aborted': throwing(
    (_error, isAborted) => isAborted,
    (error) => {
      throw new Error('The task was aborted', { cause: error });
    },
  ),
  'gives nothing when it is aborted': plain((run) => async (ownerId, task, signal) => {
    try {
      return await run(ownerId, task, signal);
    } catch (error) {
      if (signal.aborted) return undefined as never;
      throw error;
    }
  }),
  'gives a place to one that gave up': breaking({ forget: () => {} }),
  'frees a place when one gives up that waits': breaking({
    forget: (state, task) => {
      withoutTask(state, task);
      state.free++;
    },
  }),
  'forgets all of an owner when one of them gives up': breaking({
    forget: (state, task) => {
      for (const each of waitingOf(state, task.ownerId)) withoutTask(state, each);
    },
  }),
  'runs what was aborted just when there was a place': breaking({ whenLate: 'run' }),
  'loses the place of what was aborted just when there was one': breaking({ whenLate: 'lose place' }),
};

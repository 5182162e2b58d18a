import type { TaskLimit } from '@palimpsest/core';
import { mutant, type Mutants } from './mutant.ts';

const plain = (change: (sound: TaskLimit) => Partial<TaskLimit>) => mutant(() => change);

/** Broken limits, by what is wrong with them. */
export const taskLimitMutants: Mutants<TaskLimit> = {
  'has no limit': plain(() => ({ run: async (task) => task() })),
  'runs one at a time': mutant(() => {
    let last: Promise<unknown> = Promise.resolve();
    return () => ({
      run: (task) => {
        const result = last.then(task, task);
        last = result;
        return result;
      },
    });
  }),
  'never begins': plain(() => ({ run: () => new Promise(() => undefined) })),
  'loses the place of a task that failed': plain((sound) => ({
    run: (task) =>
      new Promise((resolve, reject) => {
        const place = sound.run(async () => {
          const failed = await task().then(
            (value) => (resolve(value), false),
            (error: unknown) => (reject(error), true),
          );
          if (failed) await new Promise(() => undefined);
        });
        place.catch(reject);
      }),
  })),
  'runs a task twice': plain((sound) => ({
    run: async (task) => {
      await sound.run(task);
      return sound.run(task);
    },
  })),
  'begins the last first': mutant(() => {
    const waiting: (() => void)[] = [];
    let free = 3;
    return () => ({
      run: async (task) => {
        if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
        else free--;
        try {
          return await task();
        } finally {
          const next = waiting.pop();
          if (next === undefined) free++;
          else next();
        }
      },
    });
  }),
  'lets newcomers overtake': mutant(() => {
    const waiting: (() => void)[] = [];
    let free = 3;
    return () => ({
      run: async (task) => {
        if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
        else free--;
        try {
          return await task();
        } finally {
          // The place is free for whoever comes before the one is woken that waits.
          free++;
          setImmediate(() => {
            if (free === 0 || waiting.length === 0) return;
            free--;
            waiting.shift()?.();
          });
        }
      },
    });
  }),
};

import { AppError } from '../errors.ts';

const MAX_WAITING = 1000;

/** Runs tasks of the same key one after the other, in the order of the calls. Over 1,000 that wait: `SERVICE_UNAVAILABLE`. */
export const oneAtATime = () => {
  const queues = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= MAX_WAITING)
      throw new AppError('SERVICE_UNAVAILABLE', 'Too many requests wait for the same thing.');
    queue.waiting++;
    queues.set(key, queue);
    const mine = queue.last.then(task);
    queue.last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      queue.waiting--;
      if (queue.waiting === 0) queues.delete(key);
    }
  };
};

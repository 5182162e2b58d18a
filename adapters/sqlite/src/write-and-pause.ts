import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database.ts';

/**
 * Runs one of many write transactions, then leaves the database to other writers for as long as the transaction took. Without
 * the pause, a process that retries from time to time would find the database locked until the last transaction is over.
 */
export const writeAndPause = async <T>(database: Database, work: () => T): Promise<T> => {
  const began = performance.now();
  const result = await database.write(work);
  await delay(performance.now() - began);
  return result;
};

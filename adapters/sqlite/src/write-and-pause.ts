import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database.ts';

/**
 * Runs one of many write transactions, then pauses for as long as the transaction took, so that other writers can lock
 * the database. Without the pause, a process that retries would find the database locked until the last transaction has
 * ended.
 */
export const writeAndPause = async <T>(database: Database, work: () => T): Promise<T> => {
  const began = performance.now();
  const result = await database.write(work);
  await delay(performance.now() - began);
  return result;
};

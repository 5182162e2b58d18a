import pRetry from 'p-retry';
import { isLocked } from './errors.ts';

const SHORTEST_DELAY_MS = 1;
const LONGEST_DELAY_MS = 25;

/**
 * Calls `attempt`, and calls it again while the database is locked. After `timeoutMs`, throws the error of the last
 * attempt. The delays are random, so that processes that wait for the same lock do not retry at the same moments.
 */
export const retryWhileLocked = <T>(attempt: () => T, timeoutMs: number): Promise<T> =>
  pRetry(attempt, {
    retries: Infinity,
    maxRetryTime: timeoutMs,
    minTimeout: SHORTEST_DELAY_MS,
    maxTimeout: LONGEST_DELAY_MS,
    randomize: true,
    shouldRetry: ({ error }) => isLocked(error),
  });

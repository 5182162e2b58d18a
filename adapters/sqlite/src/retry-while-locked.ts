import { setTimeout as delay } from 'node:timers/promises';
import { isLocked } from './errors.ts';

const LONGEST_DELAY_MS = 50;

/**
 * Calls `attempt`, and calls it again while the database is locked. After `timeoutMs`, throws the error of the last
 * attempt. The delays are random, so that processes that wait for the same lock do not retry at the same moments.
 */
export const retryWhileLocked = async <T>(attempt: () => T, timeoutMs: number): Promise<T> => {
  const deadline = performance.now() + timeoutMs;
  for (let delayMs = 1; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
    try {
      return attempt();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error;
    }
    await delay(Math.random() * delayMs);
  }
};

import { AppError } from '../errors.ts';
import { FairSemaphore } from './fair-semaphore.ts';

const MAX_WAITING = 1000;

/**
 * A lock per key: tasks with the same key run one after the other. Throws `SERVICE_UNAVAILABLE` if 1,000 callers of one
 * key wait already.
 */
export const keyLock = (): FairSemaphore =>
  new FairSemaphore(
    { slotsPerOwner: 1, maxWaitingPerOwner: MAX_WAITING },
    () => new AppError('SERVICE_UNAVAILABLE', 'Too many requests wait for the same resource.'),
  );

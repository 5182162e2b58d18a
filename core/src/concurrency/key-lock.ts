import { AppError } from '../errors.ts';
import { FairSemaphore } from './fair-semaphore.ts';

const MAX_WAITING = 1000;

/** A lock per key: tasks with the same key run one after the other. Over 1,000 waiting callers: `SERVICE_UNAVAILABLE`. */
export const keyLock = (): FairSemaphore =>
  new FairSemaphore(
    { slotsPerOwner: 1, maxWaitingPerOwner: MAX_WAITING },
    () => new AppError('SERVICE_UNAVAILABLE', 'Too many requests wait for the same resource.'),
  );

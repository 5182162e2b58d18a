import type { Cancellation } from '../units.ts';

/**
 * Calls `listener` when `signal` aborts, or now if it is aborted already. Returns a function that removes the listener;
 * the caller must call it when its work has ended.
 */
export const whenAborted = (signal: Cancellation, listener: () => void): (() => void) => {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
};

/** The result of `work`. Throws the reason of `signal` as soon as it aborts; the work itself is not stopped. */
export const untilAborted = async <T>(work: Promise<T>, signal: Cancellation): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stopListening = whenAborted(signal, () => reject(signal.reason));
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
};

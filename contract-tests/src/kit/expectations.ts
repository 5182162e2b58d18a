import { isAppError, type ErrorCode } from '@palimpsest/core';
import { AssertionError } from 'chai';

/** What `action` threw. Fails if it resolved. */
export const rejectionOf = async (action: () => Promise<unknown>): Promise<unknown> => {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new AssertionError('It was expected to throw, and it resolved');
};

/** Passes if `action` throws a `TypeError`. */
export const expectTypeError = async (action: () => Promise<unknown>): Promise<void> => {
  const error = await rejectionOf(action);
  if (!(error instanceof TypeError)) throw new AssertionError(`A TypeError was expected, not ${String(error)}`);
};

/** Passes if `action` throws an `AppError` with this code. */
export const expectRefusal = async (code: ErrorCode, action: () => Promise<unknown>): Promise<void> => {
  const error = await rejectionOf(action);
  if (!isAppError(error, code)) throw new AssertionError(`${code} was expected, not ${String(error)}`);
};

/** Resolves as soon as `condition` holds; fails if it does not within `withinMs`. */
export const eventually = async (
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 20_000,
): Promise<void> => {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new AssertionError(`Not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** Changes everything that can be changed in `value`, however deep. */
export const spoil = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    spoil(Reflect.get(value, key));
    Reflect.set(value, key, 'spoilt');
  }
  Reflect.set(value, 'spoilt', true);
  if (Array.isArray(value)) value.push('spoilt');
};

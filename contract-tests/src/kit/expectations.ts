import { isAppError, type ErrorCode } from '@palimpsest/core';
import { AssertionError } from 'chai';

/** The error that `action` throws. Fails if it resolves. */
export const rejectionOf = async (action: () => Promise<unknown>): Promise<unknown> => {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new AssertionError('Expected an error, but the call resolved');
};

/** Fails unless `action` throws a `TypeError`. */
export const expectTypeError = async (action: () => Promise<unknown>): Promise<void> => {
  const error = await rejectionOf(action);
  if (!(error instanceof TypeError)) throw new AssertionError(`Expected a TypeError, got ${String(error)}`);
};

/** Fails unless `action` throws an `AppError` with this code. */
export const expectRefusal = async (code: ErrorCode, action: () => Promise<unknown>): Promise<void> => {
  const error = await rejectionOf(action);
  if (!isAppError(error, code)) throw new AssertionError(`Expected ${code}, got ${String(error)}`);
};

/** Resolves when `condition` is true; fails after `withinMs`. */
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

/** Modifies every property of `value`, recursively. */
export const modifyDeeply = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    modifyDeeply(Reflect.get(value, key));
    Reflect.set(value, key, 'modified');
  }
  Reflect.set(value, 'modified', true);
  if (Array.isArray(value)) value.push('modified');
};

import { keyOf, type RateCheck } from './rate-check.ts';

/** The running attempts of this process. Each is counted, and is removed from the counters if its password is right. */
export const undecidedAttempts = () => {
  const byKey = new Map<string, Set<Promise<unknown>>>();
  return {
    /** The running attempts that one of `checks` counts. */
    of: (checks: readonly RateCheck[]): Promise<unknown>[] =>
      checks.flatMap((check) => [...(byKey.get(keyOf(check)) ?? [])]),
    /** Adds an attempt until it is decided. */
    add: (checks: readonly RateCheck[], attempt: Promise<unknown>): void => {
      const keys = checks.map(keyOf);
      for (const key of keys) byKey.set(key, (byKey.get(key) ?? new Set()).add(attempt));
      const forget = (): void => {
        for (const key of keys) {
          const left = byKey.get(key);
          left?.delete(attempt);
          if (left?.size === 0) byKey.delete(key);
        }
      };
      attempt.then(forget, forget);
    },
  };
};

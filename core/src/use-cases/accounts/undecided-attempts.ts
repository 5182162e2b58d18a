import { keyOf, type RateCheck } from '../requests/count-request.ts';

/** The attempts of this process that are counted and may yet be given back, by what they are counted for. */
export const undecidedAttempts = () => {
  const byKey = new Map<string, Set<Promise<unknown>>>();
  return {
    /** Those that are counted for one of `checks`. */
    of: (checks: readonly RateCheck[]): Promise<unknown>[] =>
      checks.flatMap((check) => [...(byKey.get(keyOf(check)) ?? [])]),
    /** Notes one, until it is decided. */
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

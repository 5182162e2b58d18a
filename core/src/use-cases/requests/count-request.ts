import type { Ports } from '../../ports/index.ts';
import { rateLimited, stateOf, type CountedWindow, type RequestSource } from '../../rate-limit/limit-state.ts';
import { keyOf, type RateCheck } from '../../rate-limit/rate-check.ts';
import type { RateRule } from '../../rate-limit/rules.ts';
import { plusMs, type Instant } from '../../units.ts';

/** A counted request. */
export interface CountedRequest {
  /** Removes the request from all counters, for example because it failed. */
  undo(): Promise<void>;
}

// The clocks of several machines, or of a process and its store, may differ by this much. Without the tolerance, a
// machine whose clock is behind would close the windows of the others, and nothing would be counted.
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * The counters without implausible windows: closes a window that ends later than a window of `windowMs` can end. Such
 * windows exist after the clock of the store was set back.
 */
export const plausibleWindows = ({ rateCounters, clock }: Pick<Ports, 'rateCounters' | 'clock'>) => {
  const isPlausible = (window: CountedWindow, windowMs: number): boolean =>
    window.endsAt <= plusMs(clock.now(), windowMs + CLOCK_TOLERANCE_MS);
  return {
    peek: async (key: string, windowMs: number): Promise<CountedWindow | undefined> => {
      const window = await rateCounters.peek(key);
      if (window === undefined || isPlausible(window, windowMs)) return window;
      await rateCounters.clear(key);
      return undefined;
    },
    hit: async (key: string, windowMs: number): Promise<CountedWindow> => {
      const window = await rateCounters.hit(key, windowMs);
      if (isPlausible(window, windowMs)) return window;
      await rateCounters.clear(key);
      return rateCounters.hit(key, windowMs);
    },
  };
};

/**
 * Counts a request by all of the given rules, or by none: if a limit is reached, it throws `RATE_LIMITED` with the time
 * until all limits allow a request again. Refused requests are not counted. `blockedUntil` has the effect of a full
 * window that ends at this time.
 */
export const countRequest = (ports: Pick<Ports, 'rateCounters' | 'clock'>) => {
  const windows = plausibleWindows(ports);
  return async (
    checks: readonly RateCheck[],
    onLimits: RequestSource['onLimits'],
    blockedUntil?: Instant,
  ): Promise<CountedRequest> => {
    const seen: (CountedWindow | undefined)[] = await Promise.all(
      checks.map((check) => windows.peek(keyOf(check), check.rule.windowMs)),
    );
    const counted: RateCheck[] = [];
    const undo = async (): Promise<void> => {
      for (const check of counted.splice(0)) await ports.rateCounters.decrement(keyOf(check));
    };
    const report = (): void => onLimits?.(checks.map(({ rule }, i) => stateOf(rule, seen[i], ports.clock.now())));
    const refuseIfFull = async (isFull: (window: CountedWindow, rule: RateRule) => boolean): Promise<void> => {
      const ends = checks.flatMap(({ rule }, i) => {
        const window = seen[i];
        return window !== undefined && isFull(window, rule) ? [window.endsAt] : [];
      });
      if (blockedUntil !== undefined) ends.push(blockedUntil);
      if (ends.length === 0) return;
      report();
      await undo();
      throw rateLimited(Math.max(...ends), ports.clock.now());
    };
    await refuseIfFull((window, rule) => window.count >= rule.max);
    for (const [i, check] of checks.entries()) {
      seen[i] = await windows.hit(keyOf(check), check.rule.windowMs);
      counted.push(check);
    }
    await refuseIfFull((window, rule) => window.count > rule.max);
    report();
    return { undo };
  };
};

/** Runs `work` as a counted request, see {@link countRequest}. If `work` throws, the request is not counted. */
export const limitedRequest = (ports: Pick<Ports, 'rateCounters' | 'clock'>) => {
  const count = countRequest(ports);
  return async <T>(
    checks: readonly RateCheck[],
    { onLimits }: Pick<RequestSource, 'onLimits'>,
    work: () => Promise<T>,
  ): Promise<T> => {
    const counted = await count(checks, onLimits);
    try {
      return await work();
    } catch (error) {
      await counted.undo();
      throw error;
    }
  };
};

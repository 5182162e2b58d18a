import { AppError } from '../errors.ts';
import type { Instant } from '../units.ts';
import type { RateRule } from './rules.ts';

/** The state of one limit for a caller, as the RateLimit headers show it. */
export interface LimitState {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  readonly remaining: number;
  readonly resetMs: number; // until the count starts again
}

/** The client of a limited request. */
export interface RequestSource {
  readonly client: string; // an IPv4 address, or the /64 network of an IPv6 address
  /** Called once or more with the states of the limits that apply. The last call is the final state. */
  readonly onLimits?: (states: readonly LimitState[]) => void;
}

/** The state of a rule with its open window, if there is one. */
export const stateOf = (
  rule: RateRule,
  window: { readonly count: number; readonly endsAt: Instant } | undefined,
  now: Instant,
): LimitState => ({
  name: rule.name,
  max: rule.max,
  windowMs: rule.windowMs,
  remaining: Math.max(rule.max - (window?.count ?? 0), 0),
  resetMs: window === undefined ? rule.windowMs : Math.max((window.endsAt - now) / 1000, 0),
});

/** The error for a call over a limit. The same call can succeed from `retryAt` on. */
export const rateLimited = (retryAt: Instant, now: Instant): AppError => {
  const retryAfterMs = Math.max((retryAt - now) / 1000, 1);
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new AppError(
    'RATE_LIMITED',
    `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterMs },
  );
};

/** A time window with a count. */
export interface CountedWindow {
  readonly count: number; // 1 or more
  readonly endsAt: Instant; // after now
}

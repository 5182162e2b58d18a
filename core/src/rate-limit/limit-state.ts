import { AppError } from '../errors.ts';
import type { Instant } from '../units.ts';
import type { RateRule } from './rules.ts';

/** Where a caller stands with one limit, as the RateLimit headers tell it. */
export interface LimitState {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
  readonly remaining: number;
  readonly resetMs: number; // until there is more again
}

/** Who asks, for what is limited. */
export interface RequestSource {
  readonly client: string; // the address that counts as one client: an IPv4 address, or the /64 of an IPv6 address
  /** Told, once or more, where the caller stands with the limits that apply; the last time is what counts. */
  readonly onLimits?: (states: readonly LimitState[]) => void;
}

/** The state of a rule with its window, if one is open. */
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

/** The refusal of a call that comes too early. */
export const rateLimited = (retryAt: Instant, now: Instant): AppError => {
  const retryAfterMs = Math.max((retryAt - now) / 1000, 1);
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new AppError(
    'RATE_LIMITED',
    `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterMs },
  );
};

/** A window of time in which something is counted. */
export interface CountedWindow {
  readonly count: number; // 1 or more
  readonly endsAt: Instant; // after now
}

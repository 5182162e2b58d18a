import { plusMs, type Instant } from '../units.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];

/** The period, from the first attempt, in which the delivery of a mail is retried. */
export const MAIL_RETRY_PERIOD_MS = 24 * HOUR_MS;

/**
 * The time of the next attempt after `attempts` temporary failures, the last of them at `now`. The delays are 5 s, 30
 * s, 2, 10 and 30 minutes, then one hour each. `undefined` if that is more than 24 hours after the first attempt.
 */
export const nextMailAttempt = (attempts: number, firstAttemptAt: Instant, now: Instant): Instant | undefined => {
  const next = plusMs(now, DELAYS_MS[attempts - 1] ?? HOUR_MS);
  return next <= plusMs(firstAttemptAt, MAIL_RETRY_PERIOD_MS) ? next : undefined;
};

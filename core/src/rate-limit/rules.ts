/** At most `max` events in a fixed time window, which starts with the first event. */
export interface RateRule {
  readonly name: string; // the name of the policy in the RateLimit headers, and of the counter
  readonly max: number;
  readonly windowMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** All fixed-window limits of the service. Limits by back-off are in `back-off.ts`. */
export const rateRules = {
  registrationsPerClient: { name: 'register-client', max: 5, windowMs: HOUR_MS },
  loginFailuresPerClient: { name: 'login-client', max: 100, windowMs: HOUR_MS },
  loginFailuresPerEmail: { name: 'login-email', max: 50, windowMs: HOUR_MS },
  verificationsPerMinute: { name: 'resend-minute', max: 1, windowMs: MINUTE_MS },
  verificationsPerHour: { name: 'resend-hour', max: 5, windowMs: HOUR_MS },
  resetsPerMinute: { name: 'forgot-minute', max: 1, windowMs: MINUTE_MS },
  resetsPerHour: { name: 'forgot-hour', max: 5, windowMs: HOUR_MS },
  resetsPerClient: { name: 'forgot-client', max: 20, windowMs: HOUR_MS },
  documentMailsPerMinute: { name: 'email-minute', max: 10, windowMs: MINUTE_MS },
  documentMailsPerHour: { name: 'email-hour', max: 50, windowMs: HOUR_MS },
  /** Prevents strangers from flooding an address with the mail "You already have an account". */
  takenNoticesPerAccount: { name: 'taken-notice', max: 3, windowMs: DAY_MS },
} as const satisfies Readonly<Record<string, RateRule>>;

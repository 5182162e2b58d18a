import type { Instant } from '../units.ts';

/** How a mail ended. */
export type MailOutcome = 'sent' | 'refused' | 'dropped';

/** What is known of a mail. */
export interface MailRecord {
  readonly attempts: number; // 1 or more
  readonly firstAttemptAt: Instant;
  readonly outcome: MailOutcome | undefined; // `undefined`: it has not ended
}

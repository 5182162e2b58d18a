import type { Instant } from '../units.ts';

/** The final state of a mail. */
export type MailOutcome = 'sent' | 'refused' | 'dropped';

/** The record of a mail. */
export interface MailRecord {
  readonly attempts: number; // 1 or more
  readonly firstAttemptAt: Instant;
  readonly outcome: MailOutcome | undefined; // `undefined`: the mail is still to be sent
}

import type { MailOutcome, MailRecord } from '../mail/mail-record.ts';
import type { Instant } from '../units.ts';

/** Records the delivery of each mail, so that no mail is sent twice. Each call is durable before it resolves. */
export interface MailLedger {
  /**
   * Counts an attempt to send a mail, and resolves with the record of the mail, which includes this attempt. If the
   * mail has an outcome, its record does not change.
   */
  begin(mailId: string, now: Instant): Promise<MailRecord>;
  /**
   * Stores the outcome of a mail. A second outcome is ignored. Finishing a mail that was never begun is a `TypeError`.
   */
  finish(mailId: string, outcome: MailOutcome): Promise<void>;
  /** Removes mails whose first attempt was before `moment`; resolves with their number. */
  removeBefore(moment: Instant): Promise<number>;
}

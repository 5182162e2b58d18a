import type { MailOutcome, MailRecord } from '../mail/mail-record.ts';
import type { Instant } from '../units.ts';

/** Keeps for each mail whether it went out, so that no mail goes out twice. Each call is durable before it resolves. */
export interface MailLedger {
  /**
   * Counts an attempt at a mail that has not ended, and resolves with its record, this attempt included. The record of a
   * mail that has ended is given as it is.
   */
  begin(mailId: string, now: Instant): Promise<MailRecord>;
  /** Ends a mail. The first outcome stays. Ending a mail that was never begun is a `TypeError`. */
  finish(mailId: string, outcome: MailOutcome): Promise<void>;
  /** Forgets mails whose first attempt was before `moment`; resolves with how many. */
  removeBefore(moment: Instant): Promise<number>;
}

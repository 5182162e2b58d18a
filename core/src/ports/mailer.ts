import type { OutgoingMail } from '../mail/outgoing-mail.ts';
import type { Cancellation } from '../units.ts';

/** Sends mails. Any number of callers may send at the same time. */
export interface Mailer {
  /**
   * Resolves when the mail server has accepted the whole mail, for this recipient only, with the attachment byte for
   * byte. Throws `MAIL_TOO_LARGE` if the server refuses the mail because of its size, `MAIL_REFUSED` if it refuses the
   * mail permanently or `to` is not a plain address, and `SERVICE_UNAVAILABLE` for every failure that may be temporary
   * (no connection, a timeout, a temporary refusal, missing encryption that is required). When `signal` is aborted, it
   * stops sending and throws.
   */
  send(mail: OutgoingMail, signal: Cancellation): Promise<void>;
}

import type { OutgoingMail } from '../mail/outgoing-mail.ts';
import type { Cancellation } from '../units.ts';

/** Sends mails. Any number of callers may send at the same time. */
export interface Mailer {
  /**
   * Resolves when the mail server has accepted the whole mail, for this recipient only, with the attachment byte for
   * byte. All mails have the same sender. Line breaks in the subject or the file name are replaced, so that they never
   * become headers. Each call opens the attachment again and copies each chunk before it requests the next. Throws
   * `MAIL_TOO_LARGE` if the server refuses the mail because of its size, `MAIL_REFUSED` if it refuses the mail
   * permanently or `to` is not a plain address, and `SERVICE_UNAVAILABLE` for every failure that may be temporary (no
   * connection, a timeout, a temporary refusal, missing encryption that is required). If the attachment throws, nothing
   * is delivered and the call throws that error or `SERVICE_UNAVAILABLE`. When `signal` is aborted, it stops sending,
   * closes the attachment and throws; if it is aborted before the call, the attachment is not opened. No listener stays
   * on the signal.
   */
  send(mail: OutgoingMail, signal: Cancellation): Promise<void>;
}

import type { OutgoingMail } from '../mail/outgoing-mail.ts';
import type { Cancellation } from '../units.ts';

/** Sends mails. Any number of callers may send at the same time. */
export interface Mailer {
  /**
   * Resolves when the mail server has accepted the whole mail, for this recipient only, with the attachment unchanged.
   * All mails have the same sender. Line breaks in the subject or the file name are replaced, so that they cannot
   * inject headers. Each call opens the attachment again and copies each chunk before it requests the next.
   *
   * Throws `MAIL_TOO_LARGE` if the server refuses the mail because of its size, `MAIL_REFUSED` if the server refuses
   * the mail permanently or `to` is not a plain address, and `SERVICE_UNAVAILABLE` for every failure that may be
   * temporary (no connection, a timeout, a temporary refusal, no encryption although it is required). If the attachment
   * throws, nothing is delivered and the call throws that error or `SERVICE_UNAVAILABLE`. When `signal` aborts, the
   * call stops sending, closes the attachment and throws; if the signal is already aborted, the attachment is not
   * opened. The call removes its listeners from the signal.
   */
  send(mail: OutgoingMail, signal: Cancellation): Promise<void>;
}

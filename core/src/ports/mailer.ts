import type { Cancellation, Instant } from '../units.ts';

/** A file that goes with a mail. */
export interface MailAttachment {
  readonly filename: string; // any Unicode without controls
  readonly mediaType: string;
  readonly byteSize: number;
  /** The bytes, from the start at each call. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** A mail to one recipient. */
export interface OutgoingMail {
  readonly messageId: string; // `local@domain`, without angle brackets (RFC 5322, section 3.6.4)
  readonly date: Instant;
  readonly to: string; // one plain address, as `canonicalEmail` gives it
  readonly subject: string; // one line
  readonly text: string;
  readonly html: string;
  readonly attachment?: MailAttachment;
}

/** Hands mails over. Any number of callers may send at the same time. */
export interface Mailer {
  /**
   * Resolves when the next station has taken the mail over: all of it, to this recipient alone, the attachment byte for
   * byte. Throws `MAIL_TOO_LARGE` if it refuses the mail for its size, `MAIL_REFUSED` if it refuses it for good, and
   * `SERVICE_UNAVAILABLE` for everything that may go better later (no connection, a time-out, a temporary refusal, no
   * encryption where it is demanded). An address in `to` that is not a plain one is `MAIL_REFUSED`. When `signal` is
   * aborted, sending is broken off and throws.
   */
  send(mail: OutgoingMail, signal: Cancellation): Promise<void>;
}

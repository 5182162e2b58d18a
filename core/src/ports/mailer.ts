import type { OutgoingMail } from '../mail/outgoing-mail.ts';
import type { Cancellation } from '../units.ts';

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

import type { Instant } from '../units.ts';

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

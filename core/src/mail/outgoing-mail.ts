import type { Instant } from '../units.ts';

/** A file that is attached to a mail. */
export interface MailAttachment {
  readonly filename: string; // any Unicode without control characters
  readonly mediaType: string;
  readonly byteSize: number;
  /** The bytes. Each call starts at the first byte. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** A mail to one recipient. */
export interface OutgoingMail {
  readonly messageId: string; // `local@domain`, without angle brackets (RFC 5322, section 3.6.4)
  readonly date: Instant;
  readonly to: string; // one plain address in the form of `canonicalEmail`
  readonly subject: string; // one line
  readonly text: string;
  readonly html: string;
  readonly attachment?: MailAttachment;
}

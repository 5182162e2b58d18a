import type { Instant } from '../units.ts';

/** The subject of a mail. It contains no secrets: tokens are created when the mail is written. */
export type MailContent =
  | { readonly mail: 'verify-email'; readonly accountId: string }
  | { readonly mail: 'address-taken'; readonly email: string }
  | { readonly mail: 'reset-password'; readonly email: string } // also if no account has this address
  | { readonly mail: 'password-changed'; readonly accountId: string }
  | { readonly mail: 'document'; readonly accountId: string; readonly documentId: string };

/** A mail that a worker writes and sends. */
export type MailRequest = MailContent & { readonly mailId: string; readonly requestedAt: Instant };

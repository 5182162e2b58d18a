import type { Instant } from '../units.ts';

/** What a mail is about. Nothing of it is secret: tokens are made when the mail is written. */
export type MailContent =
  | { readonly mail: 'verify-email'; readonly accountId: string }
  | { readonly mail: 'address-taken'; readonly email: string }
  | { readonly mail: 'reset-password'; readonly email: string } // whether an account has this address or not
  | { readonly mail: 'password-changed'; readonly accountId: string }
  | { readonly mail: 'document'; readonly accountId: string; readonly documentId: string };

/** A mail that is to be written and sent. */
export type MailRequest = MailContent & { readonly mailId: string; readonly requestedAt: Instant };

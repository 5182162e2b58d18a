import type { JobPayload } from '../jobs/job.ts';
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

/** The mail request in the payload of a mail job, otherwise throws `TypeError`. */
export const mailRequestOf = (payload: JobPayload): MailRequest => {
  const textOf = (field: string): string => {
    const value = payload[field];
    if (typeof value !== 'string') throw new TypeError(`The ${field} of a mail job must be a text`);
    return value;
  };
  const requestedAt = payload['requestedAt'];
  if (typeof requestedAt !== 'number') throw new TypeError('The requestedAt of a mail job must be a number');
  const fields = { mailId: textOf('mailId'), requestedAt };
  const mail = payload['mail'];
  switch (mail) {
    case 'verify-email':
    case 'password-changed':
      return { mail, accountId: textOf('accountId'), ...fields };
    case 'address-taken':
    case 'reset-password':
      return { mail, email: textOf('email'), ...fields };
    case 'document':
      return { mail, accountId: textOf('accountId'), documentId: textOf('documentId'), ...fields };
    default:
      throw new TypeError('A mail job requests a mail of an unknown kind');
  }
};

import { AppError } from '@palimpsest/core';

/** What nodemailer says of a failure: the reply and the command that it answers, if the server got so far. */
interface SmtpFault {
  readonly code: string;
  readonly command: string;
  readonly responseCode: number | undefined;
  readonly status: string; // the enhanced one of RFC 3463, or ''
}

const read = (error: unknown, key: string): unknown => (error instanceof Error ? Reflect.get(error, key) : undefined);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const readFault = (error: unknown): SmtpFault => {
  const responseCode = read(error, 'responseCode');
  return {
    code: textOf(read(error, 'code')),
    command: textOf(read(error, 'command')),
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
    status: /^[0-9]{3}[ -]([245]\.[0-9]{1,3}\.[0-9]{1,3})\b/.exec(textOf(read(error, 'response')))?.[1] ?? '',
  };
};

// 503: the session is out of step; 530, 534, 535, 538: the service has to sign in, or otherwise (RFC 4954, section 6).
// None of them is about the mail, and the operator may mend them.
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);

/**
 * 552 is what RFC 1870 (section 6) answers to a mail that is too large, but RFC 5321 answers it where the recipient's
 * space is used up as well, and some servers where they dislike the content: where an enhanced status (RFC 3463) tells
 * more it decides. Only 5.2.3 (over the recipient's limit) and 5.3.4 (over the system's) are a matter of size; a full
 * mailbox is 5.2.2. Without a status 552 is taken as one of size, as a smaller mail may fit in either case. 523 is 5.2.3
 * on servers that make their reply codes of it.
 */
const isAboutSize = ({ responseCode, status }: SmtpFault): boolean =>
  status === '5.2.3' || status === '5.3.4' || (responseCode === 552 && status === '') || responseCode === 523;

/**
 * Whether a connection was cut that had not begun to transfer the mail, as one that idled may have been. Nodemailer's pool
 * says then that it would have queued the mail again, and names no command that the failure belongs to. So
 * it says of one that the server closed with 421 on a later mail; another connection is what that asks for.
 */
export const isOfConnectionAlone = (error: unknown): boolean => {
  const { code, command } = readFault(error);
  return code === 'ECONNECTION' && command === '';
};

/**
 * A failure to send as an `AppError`: the permanent refusal of this mail (a 5yz reply to its sender, recipient or
 * content) is `MAIL_TOO_LARGE` or `MAIL_REFUSED`; all else (no connection, TLS, signing in, a time-out, a 4yz reply) is
 * `SERVICE_UNAVAILABLE`. Details are in `cause` alone.
 */
export const asMailFault = (error: unknown): AppError => {
  const fault = readFault(error);
  const ofThisMail = fault.code === 'EENVELOPE' || fault.code === 'EMESSAGE';
  const tooLarge = new AppError('MAIL_TOO_LARGE', 'The mail is too large for the mail server.', { cause: error });
  // Nodemailer's own comparison with the SIZE that the server announced has no reply.
  if (fault.code === 'EMESSAGE' && fault.command === 'MAIL FROM' && fault.responseCode === undefined) return tooLarge;
  const { responseCode = 0 } = fault;
  if (ofThisMail && responseCode >= 500 && responseCode < 600 && !ABOUT_THE_SESSION.has(responseCode)) {
    return isAboutSize(fault)
      ? tooLarge
      : new AppError('MAIL_REFUSED', 'The mail server refused the mail for good.', { cause: error });
  }
  return new AppError('SERVICE_UNAVAILABLE', 'Mails cannot be sent at the moment. Try again later.', { cause: error });
};

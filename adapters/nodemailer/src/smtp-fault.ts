import { AppError } from '@palimpsest/core';

/** The details of an error of nodemailer: the reply of the server, if there was one, and the command before it. */
interface SmtpFault {
  readonly code: string;
  readonly command: string;
  readonly responseCode: number | undefined;
  readonly status: string; // the enhanced status code (RFC 3463), or ''
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

// 503: wrong sequence of commands; 530, 534, 535, 538: authentication is missing or failed (RFC 4954, section 6). These
// replies concern the connection and not the mail, and the operator can fix their causes.
const CONNECTION_REPLIES = new Set([503, 530, 534, 535, 538]);

/**
 * Whether the server refused the mail for its size. Reply code 552 is ambiguous: RFC 1870 (section 6) uses it for a too
 * large mail, RFC 5321 also for a full mailbox, and some servers for refused content. So the enhanced status code (RFC
 * 3463) decides if there is one: only 5.2.3 (limit of the recipient) and 5.3.4 (limit of the system) concern the size.
 * Without one, 552 counts as too large, because a smaller mail may fit. Some servers answer 523 for 5.2.3.
 */
const isAboutSize = ({ responseCode, status }: SmtpFault): boolean =>
  status === '5.2.3' || status === '5.3.4' || (responseCode === 552 && status === '') || responseCode === 523;

/**
 * Whether the connection was lost before the mail was transferred, for example because the server had closed the idle
 * connection, with or without 421. A new connection may succeed. Nodemailer's pool reports this case as `ECONNECTION`
 * without a command.
 */
export const isLostConnection = (error: unknown): boolean => {
  const { code, command } = readFault(error);
  return code === 'ECONNECTION' && command === '';
};

/**
 * Translates an error of nodemailer. A permanent refusal of this mail (a 5yz reply to its sender, recipient or content)
 * is `MAIL_TOO_LARGE` or `MAIL_REFUSED`. Any other failure (no connection, TLS, authentication, a timeout, a 4yz reply)
 * is `SERVICE_UNAVAILABLE`. Only `cause` contains details.
 */
export const toMailError = (error: unknown): AppError => {
  const fault = readFault(error);
  const ofThisMail = fault.code === 'EENVELOPE' || fault.code === 'EMESSAGE';
  const tooLarge = new AppError('MAIL_TOO_LARGE', 'The mail is too large for the mail server.', { cause: error });
  // Without a reply, nodemailer itself has found that the size exceeds the limit that the server announced.
  if (fault.code === 'EMESSAGE' && fault.command === 'MAIL FROM' && fault.responseCode === undefined) return tooLarge;
  const { responseCode = 0 } = fault;
  if (ofThisMail && responseCode >= 500 && responseCode < 600 && !CONNECTION_REPLIES.has(responseCode)) {
    return isAboutSize(fault)
      ? tooLarge
      : new AppError('MAIL_REFUSED', 'The mail server refused the mail permanently.', { cause: error });
  }
  return new AppError('SERVICE_UNAVAILABLE', 'Mails cannot be sent at the moment. Try again later.', { cause: error });
};

import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { SendMailOptions } from 'nodemailer';
import { AppError, isCanonicalEmail, isSenderAddress, toEpochMs, type OutgoingMail } from '@palimpsest/core';

/** The sender of all mails of the service. */
export interface Sender {
  readonly name: string; // any Unicode; may be empty
  readonly address: string;
}

// `multipart` and `message` types (RFC 2046) are not files, and nodemailer would not encode them.
const FILE_TYPE = /^(?!multipart\/|message\/)[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i;
const BASE64_LINE = 76;

const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/[\u0000-\u001F\u007F]/g, '');

/**
 * Encodes a subject that looks like an encoded word. Nodemailer does not encode ASCII, but mail programs would decode
 * such a subject (RFC 2047, section 6.1).
 */
const subjectHeader = (subject: string): string => {
  const line = oneLine(subject);
  return line.includes('=?') ? encodeWord(line, 'Q', 52) : line;
};

const withCrLf = (text: string): string => text.toWellFormed().replaceAll(/\r\n|\r|\n/g, '\r\n');

const MAX_LINE_LENGTH = 998; // RFC 5322, section 2.1.1

/**
 * ASCII text is sent unencoded as a raw part, because nodemailer would wrap lines over 76 characters and so break
 * links. Mostly ASCII text is sent as quoted-printable, which stays readable. Other text is sent as base64, because it
 * would be three times as large in quoted-printable (RFC 2045, section 6).
 */
const textPart = (mediaType: string, text: string) => {
  const lines = withCrLf(text);
  const contentType = `${mediaType}; charset=utf-8`;
  if (/^[\t\r\n -~]*$/.test(lines) && lines.split('\r\n').every((line) => line.length <= MAX_LINE_LENGTH)) {
    return { raw: `Content-Type: ${contentType}\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${lines}` };
  }
  const nonAscii = lines.match(/[^\u0000-\u007F]/gu)?.length ?? 0;
  return {
    contentType,
    content: lines,
    contentTransferEncoding: nonAscii * 6 > lines.length ? 'base64' : 'quoted-printable',
  };
};

/**
 * Returns the recipient of `mail` if it is a plain address in canonical form. Otherwise throws `MAIL_REFUSED`, because
 * mailers parse other addresses differently and might send the mail to another person.
 */
export const plainRecipient = ({ to }: OutgoingMail): string => {
  if (isCanonicalEmail(to)) return to;
  throw new AppError('MAIL_REFUSED', 'The address of the recipient is not a plain e-mail address.');
};

/** Returns a sender with a one-line name. Throws `Error` if the address is not plain. Its domain may have no dot. */
export const plainSender = ({ name, address }: Sender): Sender => {
  if (!isSenderAddress(address)) {
    throw new Error('The sender of mails needs one plain e-mail address such as palimpsest@example.org.');
  }
  return { name: oneLine(name), address };
};

/**
 * The options of nodemailer for `mail`, with `attached` as the bytes of its attachment. Both text parts are always
 * present. No part of a mail can make nodemailer read a file or a URL. Addresses are objects, because nodemailer does
 * not parse those.
 */
export const composeMail = (
  mail: OutgoingMail,
  from: Sender,
  attached: Readable | Buffer | undefined,
): SendMailOptions => ({
  envelope: { from: from.address, to: [mail.to] },
  from: { ...from },
  to: { name: '', address: mail.to },
  subject: subjectHeader(mail.subject),
  messageId: `<${mail.messageId}>`,
  date: new Date(toEpochMs(mail.date)),
  headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: prevents automatic replies
  alternatives: [textPart('text/plain', mail.text), textPart('text/html', mail.html)],
  ...(mail.attachment &&
    attached && {
      attachments: [
        {
          filename: oneLine(mail.attachment.filename),
          contentType: FILE_TYPE.test(mail.attachment.mediaType)
            ? mail.attachment.mediaType
            : 'application/octet-stream',
          contentDisposition: 'attachment',
          contentTransferEncoding: 'base64',
          content: attached,
        },
      ],
    }),
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** The bytes of the attachment, which is opened at the first read; `undefined` if the mail has no attachment. */
export const attachedBytes = (
  { attachment }: OutgoingMail,
  onError: (error: unknown) => void,
): Readable | undefined => {
  if (attachment === undefined) return undefined;
  async function* read(from: NonNullable<typeof attachment>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of await from.open()) if (chunk.length > 0) yield Buffer.from(chunk); // a copy, because the source may reuse its memory
    } catch (error) {
      onError(error);
      throw error;
    }
  }
  return Readable.from(read(attachment), { objectMode: false });
};

/** The size of the composed mail. Composes the mail without its attachment and calculates the encoded size of that. */
export const mailByteSize = async (mail: OutgoingMail, from: Sender): Promise<number> => {
  const rest = await new MailComposer(composeMail(mail, from, mail.attachment && Buffer.alloc(0))).compile().build();
  const base64 = Math.ceil((mail.attachment?.byteSize ?? 0) / 3) * 4;
  return rest.length + base64 + 2 * Math.ceil(base64 / BASE64_LINE);
};

import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { SendMailOptions } from 'nodemailer';
import { AppError, canonicalEmail, toEpochMs, type OutgoingMail } from '@palimpsest/core';

/** Who the service is to those who get its mails. */
export interface Sender {
  readonly name: string; // any Unicode; may be empty
  readonly address: string;
}

// RFC 2046 parts of parts are not files, and nodemailer would not encode them.
const FILE_TYPE = /^(?!multipart\/|message\/)[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i;
const BASE64_LINE = 76;

const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/[\u0000-\u001F\u007F]/g, '');

/** Nodemailer leaves ASCII as it is, even where a reader would decode it (RFC 2047, section 6.1). */
const subjectHeader = (subject: string): string => {
  const line = oneLine(subject);
  return line.includes('=?') ? encodeWord(line, 'Q', 52) : line;
};

const withCrLf = (text: string): string => text.toWellFormed().replaceAll(/\r\n|\r|\n/g, '\r\n');

const LONGEST_LINE = 998; // RFC 5322, section 2.1.1

/**
 * Plain ASCII goes as it is, as a part of our own making, because nodemailer would break lines over 76 characters, and
 * with them the links. Quoted-printable stays readable where most is ASCII, and is three times the size where nothing is
 * (RFC 2045, section 6).
 */
const textPart = (mediaType: string, text: string) => {
  const lines = withCrLf(text);
  const contentType = `${mediaType}; charset=utf-8`;
  if (/^[\t\r\n -~]*$/.test(lines) && lines.split('\r\n').every((line) => line.length <= LONGEST_LINE)) {
    return { raw: `Content-Type: ${contentType}\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${lines}` };
  }
  const others = lines.match(/[^\u0000-\u007F]/gu)?.length ?? 0;
  return {
    contentType,
    content: lines,
    contentTransferEncoding: others * 6 > lines.length ? 'base64' : 'quoted-printable',
  };
};

/**
 * The recipient of `mail`, if it is a plain address in canonical form: mailers read others in ways of their own and send
 * to somebody else. Otherwise throws `MAIL_REFUSED`.
 */
export const plainRecipient = ({ to }: OutgoingMail): string => {
  const refusal = new AppError('MAIL_REFUSED', 'The address of the recipient is not a plain e-mail address.');
  try {
    if (canonicalEmail(to) === to) return to;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  throw refusal;
};

/** `address` as a sender's. Throws `Error` if it is not plain; a domain without a dot is, as it may be a local one. */
export const plainSender = ({ name, address }: Sender): Sender => {
  if (!/^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9.-]{1,253}$/i.test(address)) {
    throw new Error('The sender of mails needs one plain e-mail address such as palimpsest@example.org.');
  }
  return { name: oneLine(name), address };
};

/**
 * `mail` as nodemailer takes it, with `attached` as the bytes of its attachment. Both texts are always there, even empty,
 * and nothing in it can name a file or an address to fetch. The address lists are given as objects, which are not
 * parsed.
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
  headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: nobody answers that it is on holiday
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

/** The bytes of the attachment, which is opened when the first one is asked for; `undefined` if there is none. */
export const attachedBytes = (
  { attachment }: OutgoingMail,
  onFault: (fault: unknown) => void,
): Readable | undefined => {
  if (attachment === undefined) return undefined;
  async function* read(from: NonNullable<typeof attachment>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of await from.open()) if (chunk.length > 0) yield Buffer.from(chunk); // a copy: the source may use its memory again
    } catch (error) {
      onFault(error);
      throw error;
    }
  }
  return Readable.from(read(attachment), { objectMode: false });
};

/** How many bytes `mail` has on its way: all but the attachment is composed for this, and that is reckoned. */
export const mailByteSize = async (mail: OutgoingMail, from: Sender): Promise<number> => {
  const rest = await new MailComposer(composeMail(mail, from, mail.attachment && Buffer.alloc(0))).compile().build();
  const base64 = Math.ceil((mail.attachment?.byteSize ?? 0) / 3) * 4;
  return rest.length + base64 + 2 * Math.ceil(base64 / BASE64_LINE);
};

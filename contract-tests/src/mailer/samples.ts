import type { MailAttachment, OutgoingMail } from '@palimpsest/core';
import { at, sampleId } from '../kit/samples.ts';

/** A received mail, parsed. */
export interface DeliveredMail {
  readonly envelope?: { readonly from: string; readonly to: readonly string[] }; // of the SMTP session, if known
  readonly from: string; // only the address
  readonly to: readonly string[]; // of the header, only the addresses
  readonly headerNames?: readonly string[]; // lower case, one for each header
  readonly subject: string;
  readonly messageId: string; // without angle brackets
  readonly dateMs: number; // since the epoch
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly mediaType: string;
    readonly bytes: Uint8Array;
  }[];
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 10_007) yield bytes.slice(start, start + 10_007);
}

/** An attachment of these bytes, in chunks of an odd size. */
export const anAttachment = (bytes: Uint8Array, given: Partial<MailAttachment> = {}): MailAttachment => ({
  filename: 'letter.pdf',
  mediaType: 'application/pdf',
  byteSize: bytes.length,
  open: async () => chunksOf(bytes),
  ...given,
});

/** A mail with a new Message-ID. State only the fields that matter. */
export const aMail = (given: Partial<OutgoingMail> = {}): OutgoingMail => ({
  messageId: `${sampleId()}@mail.example.org`,
  date: at(0),
  to: 'reader@example.org',
  subject: 'Your document',
  text: 'Here it is.\n',
  html: '<p>Here it is.</p>\n',
  ...given,
});

/** Subjects and file names that an incorrect mailer cuts, decodes, joins or executes. */
export const strangeLines: readonly string[] = [
  'Grüße aus Köln',
  'é e\u0301 ﬁ Å A\u030a',
  '📄 your document 👩‍👩‍👧 is here',
  'מסמך ‏של שרה (2)',
  'a "quoted" one; with, commas: and <angles> \\ (brackets) [more]',
  "it's 100% %20 %s %C3%A9 'utf-8''%41'",
  '=?utf-8?Q?x?=',
  'before =?utf-8?B?QmNjOiB4?= after',
  'two  spaces and   three',
  '-- .dots.. --',
  'Bcc: somebody@example.org',
  'plain '.repeat(50).trim(),
  'ßüé€'.repeat(75),
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 '.repeat(37).trim(),
  'x'.repeat(300),
];

/** Texts that an incorrect mailer cuts, folds, dot-stuffs or ends early. */
export const strangeMailTexts: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a single dot on a line': 'before\n.\nafter\n',
  'leading dots': '.one\n..two\n...three\n',
  'lines of 998 characters and more': `${'a'.repeat(998)}\n${'b'.repeat(999)}\n${'c d '.repeat(5000)}\n${'ü'.repeat(3000)}\n`,
  'empty lines': '\r\n\r\n\r\nx\r\n\r\n',
  'all kinds of line breaks': 'one\ntwo\r\nthree\n\nfour',
  'lines that begin with "From"': 'From me to you\n\nFrom here\n>From there\n',
  'text that looks like headers and boundaries':
    'Bcc: somebody@example.org\n\n--boundary\nContent-Type: text/html\n\n----_NmP-1\n--\n',
  'text that looks like quoted-printable': 'a=3D b=\nc =20 =?utf-8?Q?x?= =\n',
  'white space at the end of lines': 'blank \ntab\t\n  two  \n',
  'the end of an SMTP transfer': 'a\r\n.\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n',
  'many scripts': 'Grüße, 日本語の文書, مستند, עברית, 👩‍👩‍👧, é e\u0301 ﬁ\n'.repeat(20),
  '1 MiB of text': 'Zeile für Zeile, 1 MiB davon = viel.\n'.repeat(28_000),
};

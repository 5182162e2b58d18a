import { AppError, type MailAttachment } from '@palimpsest/core';
import { MemoryMailer } from '@palimpsest/memory';
import { describeMailer, type WatchedMailer } from '../../src/index.ts';
import { collected } from '../../src/kit/collected.ts';
import { describeMutants, inPart, type Mutants, nextTurn } from './mutant.ts';

const neverAborted = new AbortController().signal;

const openHandle = () => {
  const mailer = new MemoryMailer();
  const delivered: WatchedMailer['delivered'] = async () =>
    mailer.delivered.map(({ envelope, to, date, attachment, ...mail }) => ({
      ...mail,
      envelope,
      from: envelope.from,
      to: [to],
      headerNames: [],
      dateMs: date / 1000,
      attachments: attachment ? [attachment] : [],
    }));
  return { mailer, delivered };
};

/** Changes the attachment of every mail. */
const attaching =
  (change: (attachment: MailAttachment) => Partial<MailAttachment>) =>
  (original: MemoryMailer): Partial<MemoryMailer> => ({
    send: (mail, signal) => {
      const { attachment } = mail;
      return original.send(
        attachment ? { ...mail, attachment: { ...attachment, ...change(attachment) } } : mail,
        signal,
      );
    },
  });

/** Changes the bytes of every attachment. */
const attachingBytes = (change: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>) =>
  attaching((attachment) => ({ open: async () => change(await attachment.open()) }));

const mutants: Mutants<MemoryMailer> = {
  'sends each mail twice': (original) => ({
    send: async (mail, signal) => {
      await original.send(mail, signal);
      await original.send(mail, signal);
    },
  }),
  'resolves before the mail is delivered': (original) => ({
    send: async (mail, signal) => void nextTurn().then(() => original.send(mail, signal).catch(() => {})),
  }),
  'sends a mail to the first of several addresses': (original) => ({
    send: (mail, signal) => original.send({ ...mail, to: mail.to.split(',')[0] ?? '' }, signal),
  }),
  'reports an invalid address as a temporary failure': (original) => ({
    send: (mail, signal) =>
      original.send(mail, signal).catch((error: unknown) => {
        throw error instanceof AppError ? new AppError('SERVICE_UNAVAILABLE', 'Try later.') : error;
      }),
  }),
  'creates a new Message-ID for each attempt': (original) => ({
    send: (mail, signal) => original.send({ ...mail, messageId: `${crypto.randomUUID()}@example.org` }, signal),
  }),
  'writes subjects in Latin-1': (original) => ({
    send: (mail, signal) =>
      original.send({ ...mail, subject: Buffer.from(mail.subject, 'latin1').toString('latin1') }, signal),
  }),
  'ends a text at a line with a single dot': (original) => ({
    send: (mail, signal) => original.send({ ...mail, text: mail.text.split(/\r?\n\.\r?\n/)[0] ?? '' }, signal),
  }),
  'cuts lines at 998 characters': (original) => ({
    send: (mail, signal) => original.send({ ...mail, text: mail.text.replaceAll(/^(.{998}).+$/gm, '$1') }, signal),
  }),
  'writes file names in ASCII': attaching(({ filename }) => ({ filename: filename.replaceAll(/[^ -~]/g, '?') })),
  'changes line ends in attachments of text': attachingBytes(async function* (chunks) {
    for await (const chunk of chunks) {
      yield Buffer.from(Buffer.from(chunk).toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1');
    }
  }),
  'uses the bytes of a chunk after the source has reused its memory': attachingBytes(async function* (chunks) {
    yield* await collected(chunks, (chunk) => chunk);
  }),
  'opens an attachment once for all attempts': (original) => {
    const opened = new Map<string, AsyncIterable<Uint8Array>>();
    return attaching((attachment) => ({
      open: async () => {
        const chunks = opened.get(attachment.filename) ?? (await attachment.open());
        opened.set(attachment.filename, chunks);
        return chunks;
      },
    }))(original);
  },
  'mixes up attachments of mails that are sent concurrently': (original) => {
    let last: MailAttachment | undefined;
    return {
      send: async (mail, signal) => {
        last = mail.attachment;
        if (last !== undefined) await nextTurn();
        await original.send(last === undefined ? mail : { ...mail, attachment: last }, signal);
      },
    };
  },
  'sends the first part of an attachment that fails': (original) =>
    attachingBytes(async function* (chunks) {
      try {
        yield* chunks;
      } catch {
        return;
      }
    })(original),
  'sends a mail whose signal is already aborted': (original) => ({
    send: (mail, signal) => original.send(mail, signal.aborted ? neverAborted : signal),
  }),
  'leaves the attachment open when it is aborted': attachingBytes((chunks) => {
    const source = chunks[Symbol.asyncIterator]();
    return { [Symbol.asyncIterator]: () => ({ next: () => source.next() }) };
  }),
  'leaves a listener on the signal': (original) => ({
    send: async (mail, signal) => {
      signal.addEventListener('abort', () => {}, { once: true });
      await original.send(mail, signal);
    },
  }),
};

describeMutants('Mailer', describeMailer, openHandle, inPart('mailer', mutants));

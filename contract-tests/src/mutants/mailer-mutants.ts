import { AppError, type Cancellation, type MailAttachment, type Mailer, type OutgoingMail } from '@palimpsest/core';
import { collected } from '../kit/collected.ts';
import type { DeliveredMail } from '../mailer/samples.ts';
import type { WatchedMailer } from '../mailer/contract.ts';
import { mutant, type Mutant, type Mutants } from './mutant.ts';

/** A mutant that sends in its own way. `begin` is called once for each station. */
const sending = (
  begin: () => (sound: Mailer, mail: OutgoingMail, signal: Cancellation) => Promise<void>,
): Mutant<WatchedMailer> =>
  mutant(() => {
    const send = begin();
    return ({ mailer }) => ({ mailer: { send: (mail, signal) => send(mailer, mail, signal) } });
  });

const changing = (change: (mail: OutgoingMail) => OutgoingMail): Mutant<WatchedMailer> =>
  sending(() => (sound, mail, signal) => sound.send(change(mail), signal));

const changingTo = (change: (to: string) => string): Mutant<WatchedMailer> =>
  changing((mail) => ({ ...mail, to: change(mail.to) }));

const changingTexts = (change: (text: string) => string): Mutant<WatchedMailer> =>
  changing((mail) => ({ ...mail, text: change(mail.text), html: change(mail.html) }));

const withFile = (mail: OutgoingMail, change: (file: MailAttachment) => Partial<MailAttachment>): OutgoingMail =>
  mail.attachment === undefined ? mail : { ...mail, attachment: { ...mail.attachment, ...change(mail.attachment) } };

const changingFile = (change: (file: MailAttachment) => Partial<MailAttachment>): Mutant<WatchedMailer> =>
  changing((mail) => withFile(mail, change));

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const changingBytes = (change: (bytes: Buffer, file: MailAttachment) => Uint8Array): Mutant<WatchedMailer> =>
  changingFile((file) => ({
    open: async () =>
      only(change(Buffer.concat(await collected(await file.open(), (chunk) => Uint8Array.from(chunk))), file)),
  }));

const arriving = (change: (mail: DeliveredMail) => DeliveredMail): Mutant<WatchedMailer> =>
  mutant(() => ({ delivered }) => ({ delivered: async () => (await delivered()).map(change) }));

const decodedWords = (text: string): string =>
  text.replaceAll(/=\?utf-8\?([QB])\?(.*?)\?=/g, (_, kind: string, word: string) =>
    kind === 'B' ? Buffer.from(word, 'base64').toString() : word,
  );

const neverAborted: Cancellation = new AbortController().signal;

/** Broken mailers, by what is wrong with them. */
export const mailerMutants: Mutants<WatchedMailer> = {
  'sends nothing': sending(() => async () => {}),
  'sends each mail twice': sending(() => async (sound, mail, signal) => {
    await sound.send(mail, signal);
    await sound.send(mail, signal);
  }),
  'says that it has sent what it is about to send': sending(() => async (sound, mail, signal) => {
    setImmediate(() => void sound.send(mail, signal).catch(() => undefined));
  }),
  'sends everything to its first recipient': sending(() => {
    let first: string | undefined;
    return (sound, mail, signal) => sound.send({ ...mail, to: (first ??= mail.to) }, signal);
  }),
  'tells the station of one more recipient': arriving((mail) => ({
    ...mail,
    envelope: { from: mail.from, to: [...mail.to, 'archive@example.org'] },
  })),
  'names one more recipient in the mail': arriving((mail) => ({ ...mail, to: [...mail.to, 'archive@example.org'] })),
  'sends in the name of the recipient': arriving((mail) => ({ ...mail, from: mail.to[0] ?? '' })),
  'bounces to somebody else': arriving((mail) => ({ ...mail, envelope: { from: 'bounces@example.net', to: mail.to } })),
  'takes the first of many recipients': changingTo((to) => to.split(/[,;\s]/)[0] ?? ''),
  'takes the address out of angle brackets': changingTo((to) => /<(.*)>/.exec(to)?.[1] ?? to),
  'takes comments out of the address': changingTo((to) => to.replaceAll(/\(.*?\)/g, '')),
  'takes blanks off the address': changingTo((to) => to.trim()),
  'takes controls out of the address': changingTo((to) => to.replaceAll(/[\0\r\n]/g, '')),
  'cuts tags off the address': changingTo((to) => to.replace(/\+.*@/, '@')),
  'refuses an apostrophe in the address': sending(
    () => (sound, mail, signal) => sound.send({ ...mail, to: mail.to.includes("'") ? '' : mail.to }, signal),
  ),
  'calls a bad address a validation error': sending(() => async (sound, mail, signal) => {
    try {
      await sound.send(mail, signal);
    } catch (error) {
      throw error instanceof AppError ? new AppError('VALIDATION_ERROR', 'email', { cause: error }) : error;
    }
  }),
  'takes a bad address for a fault that passes': sending(() => async (sound, mail, signal) => {
    try {
      await sound.send(mail, signal);
    } catch (error) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Later.', { cause: error });
    }
  }),
  'brings subjects to normal form': changing((mail) => ({ ...mail, subject: mail.subject.normalize('NFC') })),
  'dates mails by its own clock': changing((mail) => ({ ...mail, date: Date.now() * 1000 })),
  'rounds dates to the next second': changing((mail) => ({ ...mail, date: Math.round(mail.date / 1e6) * 1e6 })),
  'dates mails to the minute': changing((mail) => ({ ...mail, date: Math.floor(mail.date / 6e7) * 6e7 })),
  'makes its own Message-ID each time': sending(() => {
    let count = 0;
    return (sound, mail, signal) => sound.send({ ...mail, messageId: `${++count}@example.org` }, signal);
  }),
  'leaves encoded words in subjects to be decoded': arriving((mail) => ({
    ...mail,
    subject: decodedWords(mail.subject),
  })),
  'cuts subjects at 255 characters': changing((mail) => ({ ...mail, subject: mail.subject.slice(0, 255) })),
  'makes one blank of several in subjects': changing((mail) => ({
    ...mail,
    subject: mail.subject.replaceAll(/ +/g, ' '),
  })),
  'writes subjects as Latin-1': changing((mail) => ({
    ...mail,
    subject: Buffer.from(mail.subject, 'latin1').toString('latin1'),
  })),
  'makes headers of the lines of a subject': sending(
    () => (sound, mail, signal) => sound.send({ ...mail, subject: mail.subject.split(/[\r\n]/)[0] ?? '' }, signal),
  ),
  'makes a header of each subject with a line break': mutant(() => {
    const injected = new Set<string>();
    return ({ mailer, delivered }) => ({
      mailer: {
        send: (mail, signal) => {
          if (/[\r\n]/.test(mail.subject)) injected.add(mail.messageId);
          return mailer.send(mail, signal);
        },
      },
      delivered: async () =>
        (await delivered()).map((mail) =>
          injected.has(mail.messageId) ? { ...mail, headerNames: [...(mail.headerNames ?? []), 'bcc'] } : mail,
        ),
    });
  }),
  'writes file names as ASCII': changingFile((file) => ({ filename: file.filename.replaceAll(/[^\0-\x7f]/g, '_') })),
  'ends file names at a quotation mark': changingFile((file) => ({ filename: file.filename.split('"')[0] ?? '' })),
  'ends file names at a semicolon': changingFile((file) => ({ filename: file.filename.split(';')[0] ?? '' })),
  'decodes file names once too often': changingFile((file) => ({ filename: file.filename.replaceAll('%20', ' ') })),
  'leaves encoded words in file names to be decoded': changingFile((file) => ({
    filename: decodedWords(file.filename),
  })),
  'cuts file names at 100 characters': changingFile((file) => ({ filename: file.filename.slice(0, 100) })),
  'forgets the media type': changingFile(() => ({ mediaType: 'application/octet-stream' })),
  'sends no HTML': changing((mail) => ({ ...mail, html: '' })),
  'sends the HTML as text too': changing((mail) => ({ ...mail, text: mail.html })),
  'makes a text of the HTML where there is none': changing((mail) => ({
    ...mail,
    text: mail.text || mail.html.replaceAll(/<.*?>/g, '(none)'),
  })),
  'ends texts at a lone dot': changingTexts((text) => text.split(/^\.\r?$/m)[0] ?? ''),
  'takes leading dots for stuffing': changingTexts((text) => text.replaceAll(/^\./gm, '')),
  'cuts lines at 998 characters': changingTexts((text) => text.replaceAll(/^(.{998}).*$/gm, '$1')),
  'folds long lines': changingTexts((text) => text.replaceAll(/(.{998})(?=.)/g, '$1\r\n')),
  'marks lines that begin with From': changingTexts((text) => text.replaceAll(/^From /gm, '>From ')),
  'drops empty lines': changingTexts((text) => text.replaceAll(/(\r?\n)+/g, '\n')),
  'drops blanks at ends of lines': changingTexts((text) => text.replaceAll(/[ \t]+$/gm, '')),
  'decodes quoted-printable once too often': changingTexts((text) => text.replaceAll('=3D', '=')),
  'cuts texts at half a MiB': changingTexts((text) => text.slice(0, 524_288)),
  'attaches nothing of no byte': sending(
    () =>
      (sound, { attachment, ...mail }, signal) =>
        sound.send(attachment === undefined || attachment.byteSize === 0 ? mail : { ...mail, attachment }, signal),
  ),
  'loses the last byte': changingBytes((bytes) => (bytes.length > 1000 ? bytes.subarray(0, -1) : bytes)),
  'changes the ends of lines in what is text': changingBytes((bytes, { mediaType }) =>
    mediaType.startsWith('text/')
      ? Buffer.from(bytes.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1')
      : bytes,
  ),
  'reads attachments as UTF-8': changingBytes((bytes) => Buffer.from(bytes.toString())),
  'cuts attachments at a MiB': changingBytes((bytes) => bytes.subarray(0, 1024 * 1024)),
  'uses chunks after the source does': changingFile((file) => ({
    open: async () => only(Buffer.concat(await collected(await file.open(), (chunk) => chunk))),
  })),
  'opens an attachment once': sending(() => {
    const opened = new Map<string, ReturnType<MailAttachment['open']>>();
    return (sound, mail, signal) =>
      sound.send(
        withFile(mail, (file) => ({
          open: () => {
            const first = opened.get(mail.messageId) ?? file.open();
            opened.set(mail.messageId, first);
            return first;
          },
        })),
        signal,
      );
  }),
  'mixes up mails that are sent at once': sending(() => {
    let latest: MailAttachment | undefined;
    return async (sound, mail, signal) => {
      latest = mail.attachment;
      await new Promise((resolve) => setImmediate(resolve));
      const { attachment, ...rest } = mail;
      await sound.send(attachment && latest ? { ...rest, attachment: latest } : mail, signal);
    };
  }),
  'sends what there is of an attachment that breaks': changingFile((file) => ({
    open: async () => {
      const chunks: Uint8Array[] = [];
      try {
        for await (const chunk of await file.open()) chunks.push(Uint8Array.from(chunk));
      } catch {
        return only(Buffer.concat(chunks));
      }
      return only(Buffer.concat(chunks));
    },
  })),
  'says that it sent what broke': sending(() => async (sound, mail, signal) => {
    await sound.send(mail, signal).catch((error: unknown) => {
      if (error instanceof AppError || signal.aborted) throw error;
    });
  }),
  'takes an attachment that breaks for a refusal': sending(() => async (sound, mail, signal) => {
    await sound.send(mail, signal).catch((error: unknown) => {
      throw error instanceof AppError || signal.aborted
        ? error
        : new AppError('MAIL_REFUSED', 'It broke.', { cause: error });
    });
  }),
  'is of no use after a mail that failed': sending(() => {
    let failed: unknown;
    return async (sound, mail, signal) => {
      if (failed !== undefined) throw failed;
      await sound.send(mail, signal).catch((error: unknown) => {
        failed = error;
        throw error;
      });
    };
  }),
  'does not look at the signal': sending(() => (sound, mail) => sound.send(mail, neverAborted)),
  'looks at the signal at the beginning alone': sending(() => async (sound, mail, signal) => {
    signal.throwIfAborted();
    await sound.send(mail, neverAborted);
  }),
  'looks at the signal between chunks alone': sending(() => async (sound, mail, signal) => {
    signal.throwIfAborted();
    async function* checked(file: MailAttachment): AsyncGenerator<Uint8Array> {
      for await (const chunk of await file.open()) {
        signal.throwIfAborted();
        yield chunk;
      }
    }
    await sound.send(
      withFile(mail, (file) => ({ open: async () => checked(file) })),
      neverAborted,
    );
  }),
  'opens the attachment before it looks at the signal': sending(() => async (sound, mail, signal) => {
    const chunks = await mail.attachment?.open();
    await sound.send(chunks ? withFile(mail, () => ({ open: async () => chunks })) : mail, signal);
  }),
  'leaves an attachment open when it breaks off': changingFile((file) => ({
    open: async () => {
      const chunks = (await file.open())[Symbol.asyncIterator]();
      return { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) };
    },
  })),
  'sends on when it was told to break off': sending(() => (sound, mail, signal) => {
    const later = sound.send(mail, neverAborted);
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      later.then(resolve, reject).finally(() => signal.removeEventListener('abort', reject));
    });
  }),
  'leaves a listener at the signal': sending(() => async (sound, mail, signal) => {
    signal.addEventListener('abort', () => undefined, { once: true });
    await sound.send(mail, signal);
  }),
};

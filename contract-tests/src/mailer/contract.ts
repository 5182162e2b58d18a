import { randomBytes } from 'node:crypto';
import type { Mailer, MailAttachment, OutgoingMail } from '@palimpsest/core';
import { isAppError } from '@palimpsest/core';
import { expect } from 'chai';
import { chunksInOneBuffer } from '../kit/collected.ts';
import { expectRefusal, rejectionOf } from '../kit/expectations.ts';
import { openForEach, type Open, type Without } from '../kit/harness.ts';
import { aMail, anAttachment, strangeLines, strangeMailTexts, type DeliveredMail } from './samples.ts';
import { at } from '../kit/samples.ts';
import { describeFaults, type FaultCase } from '../kit/fault-cases.ts';

/** A mailer, and the mails that the mail server received from it, in any order. */
export interface WatchedMailer {
  readonly mailer: Mailer;
  readonly delivered: () => Promise<readonly DeliveredMail[]>;
}

const neverAborted = (): AbortSignal => new AbortController().signal;

/** Ignores the kind of line breaks and the line break at the end. */
const sameLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '');

const refusedRecipients: readonly string[] = [
  '',
  'nobody',
  'a@example.org, b@example.org',
  'a@example.org,b@example.org',
  'a@example.org; b@example.org',
  'a@example.org b@example.org',
  'a@example.org\r\nBcc: b@example.org',
  'a@example.org\nRCPT TO:<b@example.org>',
  'a@example.org>\r\nRCPT TO:<b@example.org',
  '"a,b@example.org"@example.org',
  '"a b"@example.org',
  'a(b@example.org)@example.org',
  'a@example.org(b)',
  'friends:a@example.org,b@example.org;',
  'A Reader <a@example.org>',
  '<a@example.org>',
  'a@[127.0.0.1]',
  'a@localhost',
  'a@example..org',
  'a@example.org\0',
  'ä@example.org',
  'a@exämple.org',
  ' a@example.org',
];

/** The cases of sending one mail over a connection that fails. */
export const mailFaultCases = (mail: OutgoingMail = aMail()): readonly FaultCase<WatchedMailer>[] => [
  {
    title: 'send',
    call: ({ mailer }) => mailer.send(mail, neverAborted()),
    firstOutcome: undefined,
    readState: async ({ delivered }) => [...new Set((await delivered()).map(({ messageId }) => messageId))],
    stateBefore: [],
    stateAfter: [mail.messageId],
  },
];

/**
 * Tests every promise of `Mailer`. `open` must provide an empty mail server for each test. The server may keep only
 * one of several mails with the same Message-ID.
 */
export const describeMailer = (name: string, open: Open<WatchedMailer>, without: Without = {}): void =>
  void describe(`${name}, a Mailer`, () => {
    const opened = openForEach(open);

    const send = (mail: OutgoingMail, signal: AbortSignal = neverAborted()): Promise<void> =>
      opened().subject.mailer.send(mail, signal);

    const delivered = (): Promise<readonly DeliveredMail[]> => opened().subject.delivered();

    const onlyDelivered = async (): Promise<DeliveredMail> => {
      const [mail, ...others] = await delivered();
      if (mail === undefined) throw new TypeError('Nothing was delivered');
      expect(others, 'more mails than one').to.deep.equal([]);
      return mail;
    };

    const expectDelivered = (received: DeliveredMail, mail: OutgoingMail): void => {
      expect(received.messageId).to.equal(mail.messageId);
      expect(received.to).to.deep.equal([mail.to]);
      if (received.envelope) expect(received.envelope.to).to.deep.equal([mail.to]);
      expect(received.subject).to.equal(mail.subject);
      expect(sameLines(received.text) === sameLines(mail.text), 'the text is the same').to.equal(true);
      expect(sameLines(received.html) === sameLines(mail.html), 'the HTML is the same').to.equal(true);
    };

    const expectAttached = (received: DeliveredMail, attachment: MailAttachment, bytes: Uint8Array): void => {
      expect(received.attachments.map(({ filename, mediaType }) => ({ filename, mediaType }))).to.deep.equal([
        { filename: attachment.filename, mediaType: attachment.mediaType },
      ]);
      const [got] = received.attachments;
      expect(got?.bytes.length).to.equal(bytes.length);
      expect(Buffer.from(got?.bytes ?? []).equals(bytes), 'the attachment is the same').to.equal(true);
    };

    /** Fails if the mail has other headers than a usual mail. */
    const expectNoOtherHeaders = async (received: DeliveredMail, similar: OutgoingMail): Promise<void> => {
      await send(similar);
      const usual = (await delivered()).find(({ messageId }) => messageId === similar.messageId);
      expect(received.headerNames?.toSorted()).to.deep.equal(usual?.headerNames?.toSorted());
    };

    it('delivers no mail before the first is sent', async () => {
      expect(await delivered()).to.deep.equal([]);
    });

    it('delivers a mail without an attachment once and unchanged', async () => {
      const mail = aMail({ text: 'Dear reader,\n\nhere it is.\n', html: '<p>Dear <b>reader</b> &amp; friends</p>\n' });
      await send(mail);
      const received = await onlyDelivered();
      expectDelivered(received, mail);
      expect(received.attachments).to.deep.equal([]);
      expect(received.from).to.include('@');
      if (received.envelope) expect(received.envelope.from).to.equal(received.from);
    });

    it('has delivered the mail when `send` resolves', async () => {
      for (let count = 1; count <= 5; count++) {
        await send(aMail());
        expect(await delivered()).to.have.length(count);
      }
    });

    it('delivers each mail only to its recipient, always with the same sender', async () => {
      const mails = [
        'one@example.org',
        'two@example.org',
        "o'three+tag@sub.example.org",
        '!#$%&*/=?^_`{|}~-@example.org',
        'one@example.com',
      ].map((to) => aMail({ to }));
      for (const mail of mails) await send(mail);
      const all = await delivered();
      for (const mail of mails) {
        const [received, ...others] = all.filter(({ messageId }) => messageId === mail.messageId);
        expect(others).to.deep.equal([]);
        expect(received?.to).to.deep.equal([mail.to]);
        if (received?.envelope) expect(received.envelope.to).to.deep.equal([mail.to]);
      }
      expect(new Set(all.map(({ from }) => from)).size).to.equal(1);
    });

    it('dates the mail with the given time, in seconds', async () => {
      const mails = [at(0), at(0) + 900_000, 951_782_399_999_999, 1_774_747_800_000_000, 1_792_893_600_000_000].map(
        (date) => aMail({ date }),
      );
      for (const mail of mails) await send(mail);
      for (const { messageId, dateMs } of await delivered()) {
        const { date } = mails.find((mail) => mail.messageId === messageId) ?? { date: 0 };
        expect(Math.floor(dateMs / 1000)).to.equal(Math.floor(date / 1_000_000));
      }
    });

    for (const line of strangeLines) {
      it(`delivers the subject and file name ${JSON.stringify(line.slice(0, 40))} (${line.length} characters) unchanged`, async () => {
        const bytes = randomBytes(100);
        const attachment = anAttachment(bytes, { filename: `${line}.pdf` });
        const mail = aMail({ subject: line, attachment });
        await send(mail);
        const received = await onlyDelivered();
        expectDelivered(received, mail);
        expectAttached(received, attachment, bytes);
        await expectNoOtherHeaders(received, aMail({ attachment: anAttachment(bytes) }));
      });
    }

    for (const [what, text] of Object.entries(strangeMailTexts)) {
      it(`delivers ${what} in text and HTML unchanged, with and without an attachment`, async () => {
        const bytes = randomBytes(1000);
        const attachment = anAttachment(bytes);
        const mails = [
          aMail({ text, html: `<pre>${text}</pre>` }),
          aMail({ text, html: `<pre>${text}</pre>`, attachment }),
          aMail({ text: 'Another text.', html: text }),
        ];
        for (const mail of mails) await send(mail);
        const all = await delivered();
        expect(all).to.have.length(mails.length);
        for (const mail of mails) {
          const received = all.find(({ messageId }) => messageId === mail.messageId);
          if (received === undefined) throw new TypeError('A mail is missing');
          expectDelivered(received, mail);
          if (mail.attachment) expectAttached(received, attachment, bytes);
          else expect(received.attachments).to.deep.equal([]);
        }
      });
    }

    for (const injected of [
      'Hello\r\nBcc: b@example.org',
      'Hello\nBcc: b@example.org\nX-Injected: yes',
      'Hello\rBcc: b@example.org',
      'Hello\r\n\r\nBody',
      'Hello\r\n.\r\nMAIL FROM:<a@example.org>',
    ]) {
      it(`delivers the subject and file name ${JSON.stringify(injected)} on one line and adds no header`, async () => {
        const bytes = randomBytes(100);
        const mail = aMail({ subject: injected, attachment: anAttachment(bytes, { filename: injected }) });
        await send(mail);
        const received = await onlyDelivered();
        expect(received.to).to.deep.equal([mail.to]);
        if (received.envelope) expect(received.envelope.to).to.deep.equal([mail.to]);
        expect(received.subject).to.match(/^Hello[^\r\n]+$/);
        expect(received.attachments).to.have.length(1);
        expect(received.attachments[0]?.filename).to.match(/^Hello[^\r\n]*$/);
        expect(Buffer.from(received.attachments[0]?.bytes ?? []).equals(bytes)).to.equal(true);
        expect(sameLines(received.text)).to.equal(sameLines(mail.text));
        await expectNoOtherHeaders(received, aMail({ attachment: anAttachment(bytes) }));
      });
    }

    for (const to of refusedRecipients) {
      it(`throws MAIL_REFUSED for the recipient ${JSON.stringify(to)} and delivers nothing`, async () => {
        await expectRefusal('MAIL_REFUSED', () => send(aMail({ to })));
        expect(await delivered()).to.deep.equal([]);
      });
    }

    const byteSamples: Readonly<Record<string, () => Uint8Array>> = {
      'no bytes': () => new Uint8Array(),
      'one byte': () => Uint8Array.of(0),
      'every pair of bytes': () => Uint8Array.from({ length: 131_072 }, (_, i) => (i % 2 === 0 ? i >> 9 : i >> 1)),
      'line breaks and dots': () => Buffer.from('\r\n.\r\n\n.\n\r.\r..\r\n'.repeat(5000)),
      '1 MiB of random bytes': () => randomBytes(1024 * 1024),
    };

    for (const [what, make] of Object.entries(byteSamples)) {
      for (const mediaType of ['application/pdf', 'text/plain']) {
        it(`attaches ${what} as ${mediaType} unchanged`, async () => {
          const bytes = make();
          const attachment = anAttachment(bytes, { mediaType });
          const mail = aMail({ attachment });
          await send(mail);
          const received = await onlyDelivered();
          expectDelivered(received, mail);
          expectAttached(received, attachment, bytes);
        });
      }
    }

    it('copies each chunk before it asks the source for the next one', async () => {
      await send(
        aMail({
          attachment: {
            filename: 'a.pdf',
            mediaType: 'application/pdf',
            byteSize: 200_000,
            open: async () => chunksInOneBuffer(),
          },
        }),
      );
      const bytes = (await onlyDelivered()).attachments[0]?.bytes;
      expect(bytes?.every((byte, i) => byte === Math.floor(i / 10_000) + 1)).to.equal(true);
      expect(bytes).to.have.length(200_000);
    });

    it('opens the attachment again and keeps the Message-ID when the same mail is sent again', async () => {
      const bytes = randomBytes(200_000);
      let timesOpened = 0;
      const original = anAttachment(bytes);
      const attachment = { ...original, open: () => (timesOpened++, original.open()) };
      const mail = aMail({ attachment });
      await send(mail);
      await send(mail);
      expect(timesOpened).to.equal(2);
      const all = await delivered();
      expect(all.length).to.be.within(1, 2);
      for (const received of all) {
        expectDelivered(received, mail);
        expectAttached(received, attachment, bytes);
      }
    });

    it('does not mix mails that are sent concurrently', async () => {
      const files = Array.from({ length: 16 }, (_, i) => randomBytes(20_000 * (i % 5) + i));
      const mails = files.map((bytes, i) =>
        aMail({
          to: `reader-${i}@example.org`,
          subject: `Number ${i}`,
          text: `text ${i}\n`.repeat(i * 50),
          html: `<p>${i}</p>`,
          attachment: anAttachment(bytes, { filename: `${i}.pdf` }),
        }),
      );
      await Promise.all(mails.map((mail) => send(mail)));
      const all = await delivered();
      expect(all).to.have.length(mails.length);
      for (const [i, mail] of mails.entries()) {
        const received = all.find(({ messageId }) => messageId === mail.messageId);
        if (received === undefined || mail.attachment === undefined) throw new TypeError(`Mail ${i} is missing`);
        expectDelivered(received, mail);
        expectAttached(received, mail.attachment, files[i] ?? new Uint8Array());
      }
    });

    it('delivers the other mails when some concurrent mails fail', async () => {
      const broken = anAttachment(new Uint8Array(), { open: () => Promise.reject(new Error('the source broke')) });
      const mails = Array.from({ length: 9 }, (_, i) =>
        aMail(i % 3 === 0 ? { attachment: broken } : i % 3 === 1 ? { to: 'not an address' } : {}),
      );
      const results = await Promise.allSettled(mails.map((mail) => send(mail)));
      expect(results.map(({ status }) => status === 'fulfilled')).to.deep.equal(mails.map((_, i) => i % 3 === 2));
      const good = mails.filter((_, i) => i % 3 === 2).map(({ messageId }) => messageId);
      expect((await delivered()).map(({ messageId }) => messageId).toSorted()).to.deep.equal(good.toSorted());
    });

    for (const yielded of [0, 1, 30]) {
      it(`throws the error of an attachment that fails after ${yielded} chunks, delivers nothing, and sends the next mail`, async () => {
        const fault = new Error('the source broke');
        async function* breaking(): AsyncGenerator<Uint8Array> {
          for (let i = 0; i < yielded; i++) yield randomBytes(20_000);
          throw fault;
        }
        const attachment = {
          filename: 'a.pdf',
          mediaType: 'application/pdf',
          byteSize: 20_000 * (yielded + 1),
          open: async () => breaking(),
        };
        const error = await rejectionOf(() => send(aMail({ attachment })));
        expect(error === fault || isAppError(error, 'SERVICE_UNAVAILABLE'), String(error)).to.equal(true);
        const next = aMail();
        await send(next);
        expectDelivered(await onlyDelivered(), next);
      });
    }

    it('neither opens the attachment nor sends a mail if the signal is already aborted', async () => {
      let timesOpened = 0;
      const attachment = anAttachment(randomBytes(10), {
        open: async () => (timesOpened++, await anAttachment(randomBytes(10)).open()),
      });
      expect(
        await rejectionOf(() => send(aMail({ attachment }), AbortSignal.abort(new Error('enough')))),
      ).to.be.instanceOf(Error);
      expect(timesOpened).to.equal(0);
      expect(await delivered()).to.deep.equal([]);
    });

    it('stops when the signal aborts while the attachment yields nothing', async () => {
      const abort = new AbortController();
      const begun = Promise.withResolvers<void>();
      async function* stalling(): AsyncGenerator<Uint8Array> {
        yield randomBytes(100_000);
        begun.resolve();
        await new Promise<never>(() => undefined);
      }
      const attachment = {
        filename: 'a.pdf',
        mediaType: 'application/pdf',
        byteSize: 200_000,
        open: async () => stalling(),
      };
      const sending = rejectionOf(() => send(aMail({ attachment }), abort.signal));
      await begun.promise;
      abort.abort(new Error('enough'));
      expect(await sending).to.be.instanceOf(Error);
      const next = aMail();
      await send(next);
      expectDelivered(await onlyDelivered(), next);
    });

    it('stops and closes the attachment when the signal aborts during the transfer', async () => {
      const abort = new AbortController();
      let chunks = 0;
      const closed = Promise.withResolvers<void>();
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          for (;;) {
            chunks += 1;
            if (chunks === 20) abort.abort(new Error('enough'));
            await new Promise((resolve) => setImmediate(resolve));
            yield randomBytes(10_000);
          }
        } finally {
          closed.resolve();
        }
      }
      const attachment = {
        filename: 'a.pdf',
        mediaType: 'application/pdf',
        byteSize: 1_000_000,
        open: async () => endless(),
      };
      expect(await rejectionOf(() => send(aMail({ attachment }), abort.signal))).to.be.instanceOf(Error);
      await closed.promise;
      expect(await delivered()).to.deep.equal([]);
    });

    it('removes its listeners from the signal', async () => {
      const { signal } = new AbortController();
      let listeners = 0;
      const watched = {
        get aborted() {
          return signal.aborted;
        },
        get reason(): unknown {
          return signal.reason;
        },
        throwIfAborted: () => signal.throwIfAborted(),
        addEventListener: () => void listeners++,
        removeEventListener: () => void listeners--,
      };
      await opened().subject.mailer.send(aMail({ attachment: anAttachment(randomBytes(1000)) }), watched);
      await rejectionOf(() => opened().subject.mailer.send(aMail({ to: 'not an address' }), watched));
      expect(listeners).to.equal(0);
    });

    describeFaults(opened, without, (watched) => watched, mailFaultCases());
  });

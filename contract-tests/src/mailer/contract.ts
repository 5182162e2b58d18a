import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { describeFaults } from '../kit/fault-cases.ts';
import { openForEach, type Open, type Without } from '../kit/harness.ts';
import { at } from '../kit/samples.ts';
import { describeAttachments } from './attachments.ts';
import { describeCancellation } from './cancellation.ts';
import { mailFaultCases } from './faults.ts';
import { expectAttached, expectDelivered, mailTest, sameLines, type WatchedMailer } from './mail-test.ts';
import { describeRefusedRecipients } from './refused-recipients.ts';
import { aMail, anAttachment, strangeLines, strangeMailTexts } from './samples.ts';

/**
 * Tests every promise of `Mailer`. `open` must provide an empty mail server for each test. The server may keep only
 * one of several mails with the same Message-ID.
 */
export const describeMailer = (name: string, open: Open<WatchedMailer>, without: Without = {}): void =>
  void describe(`${name}, a Mailer`, () => {
    const opened = openForEach(open);
    const test = mailTest(opened);
    const { send, delivered, onlyDelivered, expectNoOtherHeaders } = test;

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

    describeRefusedRecipients(test);
    describeAttachments(test);
    describeCancellation(test);

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

    describeFaults(opened, without, (watched) => watched, mailFaultCases());
  });

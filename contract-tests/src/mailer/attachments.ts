import { randomBytes } from 'node:crypto';
import { isAppError } from '@palimpsest/core';
import { expect } from 'chai';
import { chunksInOneBuffer } from '../kit/collected.ts';
import { rejectionOf } from '../kit/expectations.ts';
import { expectAttached, expectDelivered, type MailTest } from './mail-test.ts';
import { aMail, anAttachment } from './samples.ts';

/** Tests mails with attachments. */
export const describeAttachments = ({ send, delivered, onlyDelivered }: MailTest): void => {
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
};

import type { Cancellation, Mailer, MailAttachment, OutgoingMail } from '@palimpsest/core';
import { expect } from 'chai';
import { neverAborted } from '../kit/page-samples.ts';
import type { DeliveredMail } from './samples.ts';

/** A mailer, and the mails that the mail server received from it, in any order. */
export interface WatchedMailer {
  readonly mailer: Mailer;
  readonly delivered: () => Promise<readonly DeliveredMail[]>;
}

/** Ignores the kind of line breaks and the line break at the end. */
export const sameLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '');

/** Fails unless the received mail is the sent one. Ignores attachments. */
export const expectDelivered = (received: DeliveredMail, mail: OutgoingMail): void => {
  expect(received.messageId).to.equal(mail.messageId);
  expect(received.to).to.deep.equal([mail.to]);
  if (received.envelope) expect(received.envelope.to).to.deep.equal([mail.to]);
  expect(received.subject).to.equal(mail.subject);
  expect(sameLines(received.text) === sameLines(mail.text), 'the text is the same').to.equal(true);
  expect(sameLines(received.html) === sameLines(mail.html), 'the HTML is the same').to.equal(true);
};

/** Fails unless the received mail has exactly this attachment. */
export const expectAttached = (received: DeliveredMail, attachment: MailAttachment, bytes: Uint8Array): void => {
  expect(received.attachments.map(({ filename, mediaType }) => ({ filename, mediaType }))).to.deep.equal([
    { filename: attachment.filename, mediaType: attachment.mediaType },
  ]);
  const [got] = received.attachments;
  expect(got?.bytes.length).to.equal(bytes.length);
  expect(Buffer.from(got?.bytes ?? []).equals(bytes), 'the attachment is the same').to.equal(true);
};

/** The functions for the open adapter. */
export interface MailTest {
  readonly send: (mail: OutgoingMail, signal?: Cancellation) => Promise<void>;
  readonly delivered: () => Promise<readonly DeliveredMail[]>;
  /** The only delivered mail. Fails if there is none or more than one. */
  readonly onlyDelivered: () => Promise<DeliveredMail>;
  /** Fails if the mail has other headers than the mail `similar`, which it sends. */
  readonly expectNoOtherHeaders: (received: DeliveredMail, similar: OutgoingMail) => Promise<void>;
}

/** Creates the functions for the open adapter. */
export const mailTest = (opened: () => { readonly subject: WatchedMailer }): MailTest => {
  const send = (mail: OutgoingMail, signal: Cancellation = neverAborted()): Promise<void> =>
    opened().subject.mailer.send(mail, signal);

  const delivered = (): Promise<readonly DeliveredMail[]> => opened().subject.delivered();

  const onlyDelivered = async (): Promise<DeliveredMail> => {
    const [mail, ...others] = await delivered();
    if (mail === undefined) throw new TypeError('Nothing was delivered');
    expect(others, 'more mails than one').to.deep.equal([]);
    return mail;
  };

  const expectNoOtherHeaders = async (received: DeliveredMail, similar: OutgoingMail): Promise<void> => {
    await send(similar);
    const usual = (await delivered()).find(({ messageId }) => messageId === similar.messageId);
    expect(received.headerNames?.toSorted()).to.deep.equal(usual?.headerNames?.toSorted());
  };
  return { send, delivered, onlyDelivered, expectNoOtherHeaders };
};

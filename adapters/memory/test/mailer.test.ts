import { NO_CONNECTION, describeMailer, aMail, type DeliveredMail } from '@palimpsest/contract-tests';
import { AppError } from '@palimpsest/core';
import { expect } from 'chai';
import { MemoryMailer, type MemoryDelivery } from '../src/memory-mailer.ts';

const asDelivered = ({
  envelope,
  to,
  subject,
  messageId,
  date,
  text,
  html,
  attachment,
}: MemoryDelivery): DeliveredMail => ({
  envelope,
  from: envelope.from,
  to: [to],
  headerNames: [],
  subject,
  messageId,
  dateMs: date / 1000,
  text,
  html,
  attachments: attachment ? [attachment] : [],
});

describeMailer(
  'MemoryMailer',
  async () => {
    const mailer = new MemoryMailer();
    return { subject: { mailer, delivered: async () => mailer.delivered.map(asDelivered) }, close: async () => {} };
  },
  { faults: NO_CONNECTION },
);

describe('MemoryMailer', () => {
  it('fails one send for each failNext, in order, and delivers the next mail', async () => {
    const mailer = new MemoryMailer();
    const faults = [new AppError('MAIL_TOO_LARGE', 'Too large.'), new AppError('SERVICE_UNAVAILABLE', 'Not now.')];
    for (const fault of faults) mailer.failNext(fault);
    const { signal } = new AbortController();
    const results = await Promise.allSettled([aMail(), aMail(), aMail()].map((mail) => mailer.send(mail, signal)));
    expect(results.map((result) => (result.status === 'rejected' ? result.reason : undefined))).to.deep.equal([
      ...faults,
      undefined,
    ]);
    expect(mailer.delivered).to.have.length(1);
  });
});

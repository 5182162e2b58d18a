import { deleteDocument, emailDocument, type LimitState } from '@palimpsest/core';
import { expect } from 'chai';
import { aMember, aWorld, codeOf, deliverMails, instead, SOURCE, takeMails, tally, times } from '../../world.ts';

const setUp = async () => {
  const world = aWorld();
  const { ports, memory } = world;
  const member = await aMember(ports);
  await deliverMails(memory);
  const document = await world.upload({ pages: [{ text: 'words' }] }, member);
  await world.recognize(await world.claim());
  return { world, ports, memory, clock: memory.clock, member, id: document.id, document, email: emailDocument(ports) };
};

describe('emailDocument', () => {
  it('accepts one mail with the document to its owner', async () => {
    const { memory, member, id, email } = await setUp();
    await email(member, id, SOURCE);
    const mails = await deliverMails(memory);
    expect(mails).to.have.length(1);
    expect(mails[0]?.envelope.to).to.deep.equal([member.email]);
    expect(mails[0]?.text).to.include('-\nwords\n-');
  });

  it('accepts one mail for each key from repeated and concurrent requests', async () => {
    const { ports, member, id, email } = await setUp();
    const outcomes = await tally(times(20, () => email(member, id, SOURCE, 'k')));
    expect(outcomes['ok']).to.be.greaterThan(0);
    expect((outcomes['ok'] ?? 0) + (outcomes['IDEMPOTENCY_KEY_IN_USE'] ?? 0)).to.equal(20);
    await email(member, id, SOURCE, 'k');
    expect(await takeMails(ports)).to.have.length(1);
    await email(member, id, SOURCE, 'k2');
    await email(member, id, SOURCE);
    expect(await takeMails(ports)).to.have.length(2);
  });

  it('does not count a repeat with the same key', async () => {
    const { ports, member, id, email } = await setUp();
    for (let i = 0; i < 50; i++) await email(member, id, SOURCE, 'k');
    expect((await ports.rateCounters.peek(`email-minute ${member.accountId}`))?.count).to.equal(1);
  });

  it('refuses a key of another document', async () => {
    const { world, member, id, email } = await setUp();
    const second = await world.upload({ pages: [{ text: 'more' }] }, member);
    await world.recognize(await world.claim());
    await email(member, id, SOURCE, 'k');
    expect(await codeOf(email(member, second.id, SOURCE, 'k'))).to.equal('IDEMPOTENCY_KEY_REUSED');
  });

  it('accepts no second mail when a request failed after its mail was queued, and its repeat was refused', async () => {
    const { ports, memory, clock, member, id } = await setUp();
    const jobs = instead(ports.jobs, {
      enqueue: async (kind, payload) => {
        await ports.jobs.enqueue(kind, payload);
        throw new Error('the answer was lost');
      },
    });
    expect(await codeOf(emailDocument({ ...ports, jobs })(member, id, SOURCE, 'k'))).to.have.property(
      'message',
      'the answer was lost',
    );
    clock.advance(15_000);
    const email = emailDocument(ports);
    for (let i = 0; i < 10; i++) await email(member, id, SOURCE, `other ${i}`.replace(' ', '-'));
    expect(await codeOf(email(member, id, SOURCE, 'k'))).to.equal('RATE_LIMITED');
    clock.advance(60_000);
    await email(member, id, SOURCE, 'k');
    expect(await deliverMails(memory)).to.have.length(11);
  });

  it('refuses a document that is missing, of another owner, not completed or without its file, and does not count it', async () => {
    const { world, ports, member, id, email } = await setUp();
    const bob = await aMember(ports, { email: 'bob@example.org', password: 'battery staple' });
    const waiting = await world.upload({ pages: [{ text: 'later' }] }, member);
    for (let i = 0; i < 12; i++) {
      expect(await codeOf(email(bob, id, SOURCE))).to.equal('DOCUMENT_NOT_FOUND');
      expect(await codeOf(email(member, 'no id', SOURCE, `k${i}`))).to.equal('DOCUMENT_NOT_FOUND');
      expect(await codeOf(email(member, waiting.id, SOURCE))).to.equal('DOCUMENT_NOT_COMPLETED');
    }
    const blobs = instead(ports.blobs, { stat: () => Promise.resolve(undefined) });
    expect(await codeOf(emailDocument({ ...ports, blobs })(member, id, SOURCE))).to.equal('FILE_NOT_STORED');
    await email(member, id, SOURCE);
    await deleteDocument(ports)(member, id);
    expect(await codeOf(email(member, id, SOURCE))).to.equal('DOCUMENT_NOT_FOUND');
    expect((await ports.rateCounters.peek(`email-minute ${member.accountId}`))?.count).to.equal(1);
  });

  it('allows ten mails a minute and fifty an hour for each account', async () => {
    const { clock, member, id, email } = await setUp();
    for (let i = 0; i < 5; i++) {
      expect(await tally(times(100, () => email(member, id, SOURCE)))).to.deep.equal({ ok: 10, RATE_LIMITED: 90 });
      clock.advance(60_000);
    }
    expect(await codeOf(email(member, id, SOURCE))).to.equal('RATE_LIMITED');
    clock.advance(3_300_000);
    let told: readonly LimitState[] = [];
    await email(member, id, {
      ...SOURCE,
      onLimits: (states) => {
        told = states;
      },
    });
    expect(told.map(({ name, remaining }) => [name, remaining])).to.deep.equal([
      ['email-minute', 9],
      ['email-hour', 49],
    ]);
  });

  it('does not count a request whose mail could not be queued', async () => {
    const { ports, member, id, email } = await setUp();
    const jobs = instead(ports.jobs, { enqueue: () => Promise.reject(new Error('no queue')) });
    for (let i = 0; i < 12; i++)
      expect(await codeOf(emailDocument({ ...ports, jobs })(member, id, SOURCE))).to.have.property(
        'message',
        'no queue',
      );
    await email(member, id, SOURCE);
  });
});

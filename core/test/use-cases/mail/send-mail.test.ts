import { AppError, plusMs, sendMail, type MailRequest, type SendOutcome } from '@palimpsest/core';
import { MemoryStore, openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import { aMember, aWorld, codeOf, instead, mailSettings, takeMails, times, tokenIn } from '../../world.ts';

const notAborted = new AbortController().signal;
const GREYLISTED = new AppError('SERVICE_UNAVAILABLE', 'Come back later.');

/** An account whose verification mail waits to be sent. */
const setUp = async () => {
  const { ports, memory } = aWorld();
  const member = await aMember(ports);
  const [request] = await takeMails(ports);
  if (!request) throw new Error('no mail was asked for');
  return { ports, mailer: memory.mailer, clock: memory.clock, member, request, send: sendMail(memory, mailSettings) };
};

const kinds = (outcomes: readonly SendOutcome[]): string[] => outcomes.map(({ kind }) => kind);

describe('sendMail', () => {
  it('sends a mail once, also if its job runs several times', async () => {
    const { ports, mailer, request, send, member } = await setUp();
    expect(await send(request, notAborted)).to.deep.equal({ kind: 'sent', attachmentLeftOut: false });
    for (const again of [send, sendMail(ports, mailSettings)])
      expect(await again(request, notAborted)).to.deep.equal({ kind: 'ended-before', outcome: 'sent' });
    expect(mailer.delivered).to.have.length(1);
    expect(mailer.delivered[0]).to.include({
      messageId: `${request.mailId}@mail.example.org`,
      date: request.requestedAt,
      to: member.email,
    });
  });

  it('sends a mail once if two jobs run concurrently', async () => {
    const { mailer, request, send } = await setUp();
    expect(kinds(await Promise.all(times(5, () => send(request, notAborted)))).sort()).to.deep.equal([
      'ended-before',
      'ended-before',
      'ended-before',
      'ended-before',
      'sent',
    ]);
    expect(mailer.delivered).to.have.length(1);
  });

  it('retries after 5 s, 30 s, 2, 10 and 30 minutes and then hourly, with the same Message-ID, until the server accepts the mail', async () => {
    const { mailer, clock, request, send } = await setUp();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      mailer.failNext(GREYLISTED);
      const outcome = await send(request, notAborted);
      if (outcome.kind !== 'postponed') throw new Error(outcome.kind);
      expect(outcome.fault).to.equal(GREYLISTED);
      waits.push((outcome.retryAt - clock.now()) / 1_000_000);
      clock.set(outcome.retryAt);
    }
    expect(waits).to.deep.equal([5, 30, 120, 600, 1800, 3600, 3600, 3600]);
    expect(await send(request, notAborted)).to.have.property('kind', 'sent');
    expect(mailer.delivered.map(({ messageId, date }) => [messageId, date])).to.deep.equal([
      [`${request.mailId}@mail.example.org`, request.requestedAt],
    ]);
  });

  it('stops retrying a mail after a day of failures', async () => {
    const { mailer, clock, request, send } = await setUp();
    const begun = clock.now();
    let outcome: SendOutcome;
    let attempts = 0;
    for (;;) {
      mailer.failNext(GREYLISTED);
      outcome = await send(request, notAborted);
      attempts++;
      if (outcome.kind !== 'postponed') break;
      clock.set(outcome.retryAt);
    }
    expect(outcome).to.have.property('kind', 'refused');
    expect(outcome).to.have.property('fault').that.includes({ code: 'MAIL_REFUSED', cause: GREYLISTED });
    expect(attempts).to.equal(29);
    expect(clock.now()).to.be.within(plusMs(begun, 23 * 3_600_000), plusMs(begun, 24 * 3_600_000));
    expect(await send(request, notAborted)).to.deep.equal({ kind: 'ended-before', outcome: 'refused' });
    expect(mailer.delivered).to.deep.equal([]);
  });

  it('ends a mail that is refused permanently, or too large without an attachment', async () => {
    for (const code of ['MAIL_REFUSED', 'MAIL_TOO_LARGE'] as const) {
      const { mailer, request, send } = await setUp();
      const fault = new AppError(code, 'No.');
      mailer.failNext(fault);
      expect(await send(request, notAborted)).to.deep.equal({ kind: 'refused', fault });
      expect(await send(request, notAborted)).to.deep.equal({ kind: 'ended-before', outcome: 'refused' });
      expect(mailer.delivered).to.deep.equal([]);
    }
  });

  it('retries a mail after a second when the worker stops', async () => {
    const { mailer, clock, request, send } = await setUp();
    const stop = new AbortController();
    stop.abort(new Error('stopping'));
    expect(await send(request, stop.signal)).to.deep.include({ kind: 'postponed', retryAt: plusMs(clock.now(), 1000) });
    expect(mailer.delivered).to.deep.equal([]);
    expect(await send(request, notAborted)).to.have.property('kind', 'sent');
  });

  it('retries a mail when a store is unavailable', async () => {
    const { ports, clock, request, send } = await setUp();
    const accounts = instead(ports.accounts, { find: () => Promise.reject(new Error('no database')) });
    expect(await sendMail({ ...ports, accounts }, mailSettings)(request, notAborted)).to.deep.include({
      kind: 'postponed',
      retryAt: plusMs(clock.now(), 5000),
    });
    expect(await send(request, notAborted)).to.have.property('kind', 'sent');
  });
});

describe('a mail that was accepted by the server, but not recorded', () => {
  const recordFails = async () => {
    const set = await setUp();
    let failures = 1;
    const mailLedger = instead(set.ports.mailLedger, {
      finish: (id, outcome) =>
        failures-- > 0 ? Promise.reject(new Error('no disk')) : set.ports.mailLedger.finish(id, outcome),
    });
    return { ...set, send: sendMail({ ...set.ports, mailLedger }, mailSettings) };
  };

  it('is not sent again by the same process', async () => {
    const { mailer, request, send } = await recordFails();
    expect(await codeOf(send(request, notAborted))).to.have.property('message', 'no disk');
    for (let i = 0; i < 3; i++)
      expect(await send(request, notAborted)).to.deep.equal({ kind: 'ended-before', outcome: 'sent' });
    expect(mailer.delivered).to.have.length(1);
  });

  it('is sent again under the same Message-ID by another process', async () => {
    const { ports, mailer, request, send } = await recordFails();
    await codeOf(send(request, notAborted));
    expect(await sendMail(ports, mailSettings)(request, notAborted)).to.have.property('kind', 'sent');
    expect(new Set(mailer.delivered.map(({ messageId }) => messageId)).size).to.equal(1);
    expect(new Set(mailer.delivered.map(tokenIn)).size).to.equal(1);
  });
});

describe('the token in a mail', () => {
  it('is the stored token, and is equal in every attempt and process', async () => {
    const store = new MemoryStore();
    const first = openMemory(store);
    const member = await aMember(first);
    const [request] = (await takeMails(first)) as [MailRequest];
    const seen: (string | undefined)[] = [];
    const mailer = instead(first.mailer, {
      send: (mail) => {
        seen.push(tokenIn(mail));
        return Promise.reject(GREYLISTED);
      },
    });
    await sendMail({ ...first, mailer }, mailSettings)(request, notAborted);
    first.clock.advance(23 * 3_600_000);
    const second = openMemory(store, { clock: first.clock });
    await sendMail(second, mailSettings)(request, notAborted);
    seen.push(tokenIn(second.mailer.delivered[0]));
    expect(new Set(seen).size).to.equal(1);
    const inForce = await second.accountTokens.find(second.secretTokens.digest(seen[0] ?? ''), 'verify-email');
    expect(inForce).to.include({
      accountId: member.accountId,
      requestedAt: request.requestedAt,
      expiresAt: plusMs(first.clock.now(), 24 * 3_600_000),
    });
    expect(JSON.stringify([...store.accountTokens, ...store.mails])).not.to.include(seen[0]);
  });

  it('differs between mails, and does not become valid again after it was spent', async () => {
    const { ports, mailer, request, send } = await setUp();
    mailer.failNext(GREYLISTED);
    let written = '';
    const watching = instead(mailer, {
      send: (mail, signal) => {
        written = tokenIn(mail);
        return mailer.send(mail, signal);
      },
    });
    await sendMail({ ...ports, mailer: watching }, mailSettings)(request, notAborted);
    expect(await ports.accountTokens.spend(ports.secretTokens.digest(written), 'verify-email')).to.equal(true);
    expect(await send(request, notAborted)).to.deep.equal({ kind: 'dropped', reason: 'a newer link was sent' });
    expect(mailer.delivered).to.deep.equal([]);
    expect(await ports.accountTokens.find(ports.secretTokens.digest(written), 'verify-email')).to.equal(undefined);
    expect(
      await send({ ...request, mailId: 'another', requestedAt: request.requestedAt + 1 }, notAborted),
    ).to.have.property('kind', 'sent');
    expect(tokenIn(mailer.delivered[0])).not.to.equal(written);
  });

  it('of an older request does not replace that of a newer one, in any order of sending', async () => {
    const { ports, mailer, request, send } = await setUp();
    const newer = { ...request, mailId: 'newer', requestedAt: request.requestedAt + 1 };
    expect(kinds([await send(newer, notAborted), await send(request, notAborted)])).to.deep.equal(['sent', 'dropped']);
    const token = tokenIn(mailer.delivered[0]);
    expect(await ports.accountTokens.find(ports.secretTokens.digest(token), 'verify-email')).not.to.equal(undefined);
    expect(await send(request, notAborted)).to.deep.equal({ kind: 'ended-before', outcome: 'dropped' });
  });
});

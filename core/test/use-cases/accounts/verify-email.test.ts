import { accountTokenTtlMs, resendVerification, resetPassword, verifyEmail } from '@palimpsest/core';
import { expect } from 'chai';
import {
  aMember,
  aWorld,
  codeOf,
  deliverMails,
  instead,
  refusalOf,
  tally,
  takeMails,
  times,
  tokenIn,
  SOURCE,
} from '../../world.ts';

const DAY_MS = accountTokenTtlMs['verify-email'];

const setUp = async () => {
  const { ports, memory } = aWorld();
  const member = await aMember(ports);
  const isVerified = async () => (await ports.accounts.find(member.accountId))?.emailVerified;
  return { ports, clock: memory.clock, mailer: memory.mailer, member, isVerified, verify: verifyEmail(ports) };
};

describe('verifyEmail', () => {
  it('verifies the address with the link that is mailed at registration', async () => {
    const { ports, verify, isVerified, member } = await setUp();
    const mails = await deliverMails(ports);
    expect(mails).to.have.length(1);
    expect(mails[0]?.envelope.to).to.deep.equal([member.email]);
    expect(mails[0]?.text).to.include('https://ocr.example.org/verify-email?token=');
    expect(await isVerified()).to.equal(false);
    await verify(tokenIn(mails[0]));
    expect(await isVerified()).to.equal(true);
  });

  it('refuses a link that was used', async () => {
    const { ports, verify } = await setUp();
    const token = tokenIn((await deliverMails(ports))[0]);
    expect(await tally(times(100, () => verify(token)))).to.deep.equal({ ok: 1, INVALID_OR_EXPIRED_TOKEN: 99 });
    expect(await codeOf(verify(token))).to.equal('INVALID_OR_EXPIRED_TOKEN');
  });

  it('accepts a link for 24 hours after its mail, and not a millisecond longer', async () => {
    for (const [waitMs, works] of [
      [DAY_MS - 1, true],
      [DAY_MS, false],
    ] as const) {
      const { ports, clock, verify, isVerified } = await setUp();
      const token = tokenIn((await deliverMails(ports))[0]);
      clock.advance(waitMs);
      const outcome = await tally([verify(token)]);
      expect(outcome).to.deep.equal(works ? { ok: 1 } : { INVALID_OR_EXPIRED_TOKEN: 1 });
      expect(await isVerified()).to.equal(works);
    }
  });

  it('refuses every changed form of a token and changes nothing', async () => {
    const { ports, verify, isVerified } = await setUp();
    const token = tokenIn((await deliverMails(ports))[0]);
    for (const given of [
      '',
      ' ',
      token.slice(0, -1),
      `${token}A`,
      ` ${token}`,
      token.toUpperCase(),
      token.toLowerCase(),
      '0'.repeat(43),
      ports.secretTokens.digest(token),
      '\ud800',
      '\0',
      'x'.repeat(1_000_000),
    ]) {
      expect(await codeOf(verify(given))).to.equal('INVALID_OR_EXPIRED_TOKEN');
    }
    expect(await isVerified()).to.equal(false);
    await verify(token);
  });

  it('does not let a verification token reset a password', async () => {
    const { ports, verify } = await setUp();
    const token = tokenIn((await deliverMails(ports))[0]);
    expect(await codeOf(resetPassword(ports)({ token, password: 'a new password' }))).to.equal(
      'INVALID_OR_EXPIRED_TOKEN',
    );
    await verify(token);
  });

  it('does not spend the token if the verification cannot be stored', async () => {
    const { ports, verify, isVerified } = await setUp();
    const token = tokenIn((await deliverMails(ports))[0]);
    const accounts = instead(ports.accounts, { verifyEmail: () => Promise.reject(new Error('no database')) });
    expect(await codeOf(verifyEmail({ ...ports, accounts })(token))).to.have.property('message', 'no database');
    await verify(token);
    expect(await isVerified()).to.equal(true);
  });

  it('refuses the token of a closed account', async () => {
    const { ports, clock, verify, member } = await setUp();
    const token = tokenIn((await deliverMails(ports))[0]);
    await ports.accounts.close(member.accountId, clock.now());
    expect(await codeOf(verify(token))).to.equal('INVALID_OR_EXPIRED_TOKEN');
  });
});

describe('resendVerification', () => {
  it('mails a new link, and the older link stops working', async () => {
    const { ports, clock, verify, isVerified, member } = await setUp();
    const older = tokenIn((await deliverMails(ports))[0]);
    clock.advance(60_000);
    await resendVerification(ports)(member, SOURCE);
    const newer = tokenIn((await deliverMails(ports))[0]);
    expect(newer).not.to.equal(older);
    expect(await codeOf(verify(older))).to.equal('INVALID_OR_EXPIRED_TOKEN');
    await verify(newer);
    expect(await isVerified()).to.equal(true);
  });

  it('sends no mail to a verified address', async () => {
    const { ports, verify, member } = await setUp();
    await verify(tokenIn((await deliverMails(ports))[0]));
    await resendVerification(ports)(member, SOURCE);
    expect(await deliverMails(ports)).to.deep.equal([]);
  });

  it('allows one mail a minute and five an hour for each account, from any client', async () => {
    const { ports, clock, member } = await setUp();
    const resend = resendVerification(ports);
    const waits: (number | undefined)[] = [];
    for (let i = 0; i < 5; i++) {
      await resend(member, { client: `c${i}` });
      clock.advance(30_000);
      waits.push((await refusalOf(resend(member, { client: 'other' }))).retryAfterMs);
      clock.advance(31_000);
    }
    expect(waits).to.deep.equal([30_000, 30_000, 30_000, 30_000, 3_600_000 - 4 * 61_000 - 30_000]);
    expect((await refusalOf(resend(member, SOURCE))).retryAfterMs).to.equal(3_600_000 - 5 * 61_000);
    expect((await takeMails(ports)).length).to.equal(6);
    await resend({ accountId: 'somebody else' }, SOURCE);
  });

  it('allows one of a hundred concurrent requests', async () => {
    const { ports, member } = await setUp();
    expect(await tally(times(100, () => resendVerification(ports)(member, SOURCE)))).to.deep.equal({
      ok: 1,
      RATE_LIMITED: 99,
    });
    expect(await takeMails(ports)).to.have.length(2);
  });

  it('does not count a request whose mail could not be queued', async () => {
    const { ports, member } = await setUp();
    const jobs = instead(ports.jobs, { enqueue: () => Promise.reject(new Error('no queue')) });
    for (let i = 0; i < 9; i++)
      expect(await codeOf(resendVerification({ ...ports, jobs })(member, SOURCE))).to.have.property(
        'message',
        'no queue',
      );
    await resendVerification(ports)(member, SOURCE);
  });
});

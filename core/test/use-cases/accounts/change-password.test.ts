import {
  authenticate,
  changePassword,
  confirmPassword,
  forgotPassword,
  refreshSession,
  resetPassword,
  signIn,
} from '@palimpsest/core';
import { expect } from 'chai';
import {
  aMember,
  aWorld,
  codeOf,
  CREDENTIALS,
  deliverMails,
  instead,
  SOURCE,
  tally,
  times,
  tokenIn,
} from '../../world.ts';

const NEW = 'a new password';
const GIVEN = { currentPassword: CREDENTIALS.password, password: NEW };

const setUp = async () => {
  const { ports, memory } = aWorld();
  const member = await aMember(ports);
  await deliverMails(ports);
  return { ports, clock: memory.clock, member, change: changePassword(ports) };
};

describe('changePassword', () => {
  it('ends all other sessions, keeps the session of the caller, and mails the owner', async () => {
    const { ports, member, change } = await setUp();
    const other = await signIn(ports)(CREDENTIALS, SOURCE);
    const bob = await aMember(ports, { email: 'bob@example.org', password: 'battery staple' });
    await deliverMails(ports);
    await change(member, GIVEN, SOURCE);
    expect(await codeOf(authenticate(ports)(other.accessToken))).to.equal('INVALID_TOKEN');
    expect(await codeOf(refreshSession(ports)(other.refreshToken))).to.equal('INVALID_REFRESH_TOKEN');
    await authenticate(ports)(member.tokens.accessToken);
    await refreshSession(ports)(member.tokens.refreshToken);
    await authenticate(ports)(bob.tokens.accessToken);
    expect(await codeOf(signIn(ports)(CREDENTIALS, SOURCE))).to.equal('INVALID_CREDENTIALS');
    await signIn(ports)({ ...CREDENTIALS, password: NEW }, SOURCE);
    expect((await deliverMails(ports)).map(({ to, subject }) => [to, subject])).to.deep.equal([
      [CREDENTIALS.email, 'Your password was changed'],
    ]);
  });

  it('makes all earlier reset links invalid, mailed or not', async () => {
    const { ports, clock, member, change } = await setUp();
    await forgotPassword(ports)(CREDENTIALS.email, SOURCE);
    const [mailed] = await deliverMails(ports);
    clock.advance(61_000);
    await forgotPassword(ports)(CREDENTIALS.email, SOURCE);
    clock.advance(1);
    await change(member, GIVEN, SOURCE);
    // The second link waited in the queue.
    expect((await deliverMails(ports)).map(({ subject }) => subject)).to.deep.equal(['Your password was changed']);
    const reset = resetPassword(ports)({ token: tokenIn(mailed), password: 'an attacker chose this' });
    expect(await codeOf(reset)).to.equal('INVALID_OR_EXPIRED_TOKEN');
    clock.advance(61_000);
    await forgotPassword(ports)(CREDENTIALS.email, SOURCE);
    const [later] = await deliverMails(ports);
    await resetPassword(ports)({ token: tokenIn(later), password: 'a third password' });
  });

  it('refuses a wrong current password and changes nothing', async () => {
    const { ports, member, change } = await setUp();
    const other = await signIn(ports)(CREDENTIALS, SOURCE);
    expect(await codeOf(change(member, { ...GIVEN, currentPassword: 'wrong horse' }, SOURCE))).to.equal(
      'INVALID_CREDENTIALS',
    );
    await authenticate(ports)(other.accessToken);
    await signIn(ports)(CREDENTIALS, SOURCE);
    expect(await deliverMails(ports)).to.deep.equal([]);
  });

  it('refuses a new password that breaks the rules', async () => {
    const { ports, member, change } = await setUp();
    for (const password of ['short', 'password', CREDENTIALS.email, '\ud800'.repeat(9)]) {
      expect(await codeOf(change(member, { ...GIVEN, password }, SOURCE))).to.equal('VALIDATION_ERROR');
    }
    await signIn(ports)(CREDENTIALS, SOURCE);
  });

  it('blocks even the right password after three wrong ones, from any client', async () => {
    const { member, change, clock } = await setUp();
    for (let i = 0; i < 3; i++)
      expect(await codeOf(change(member, { ...GIVEN, currentPassword: 'wrong horse' }, { client: `c${i}` }))).to.equal(
        'INVALID_CREDENTIALS',
      );
    expect(await codeOf(change(member, GIVEN, { client: 'home' }))).to.equal('RATE_LIMITED');
    clock.advance(15_000);
    await change(member, GIVEN, SOURCE);
  });

  it('counts its failures separately from those of signing in', async () => {
    const { ports, member, change } = await setUp();
    for (let i = 0; i < 3; i++) await codeOf(change(member, { ...GIVEN, currentPassword: 'wrong horse' }, SOURCE));
    await signIn(ports)(CREDENTIALS, SOURCE);
    const other = await setUp();
    for (let i = 0; i < 3; i++) await codeOf(signIn(other.ports)({ ...CREDENTIALS, password: 'wrong horse' }, SOURCE));
    await other.change(other.member, GIVEN, SOURCE);
  });

  it('lets exactly one of several concurrent changes succeed', async () => {
    const { ports, member, change } = await setUp();
    const outcomes = await tally(times(10, (i) => change(member, { ...GIVEN, password: `${NEW} ${i}` }, SOURCE)));
    expect(outcomes['ok']).to.equal(1);
    expect(Object.keys(outcomes)).to.have.members(
      ['ok', 'INVALID_CREDENTIALS', 'RATE_LIMITED'].slice(0, Object.keys(outcomes).length),
    );
    expect(await deliverMails(ports)).to.have.length(1);
    await authenticate(ports)(member.tokens.accessToken);
  });

  it('ends a session that starts concurrently with the old password', async () => {
    const { ports, member } = await setUp();
    let opened: Promise<unknown> | undefined;
    const accounts = instead(ports.accounts, {
      changePassword: async (id, from, to) => {
        opened = codeOf(signIn(ports)(CREDENTIALS, { client: 'thief' }));
        return ports.accounts.changePassword(id, from, to);
      },
    });
    await changePassword({ ...ports, accounts })(member, GIVEN, SOURCE);
    expect(await opened).to.equal('INVALID_CREDENTIALS');
  });

  it('ends a session that started just before the change', async () => {
    const { ports, clock, member } = await setUp();
    const accounts = instead(ports.accounts, {
      changePassword: async (id, from, to) => {
        await ports.sessions.add({
          id: 'late',
          accountId: id,
          refreshTokenDigest: 'd',
          createdAt: clock.now(),
          expiresAt: clock.now() + 1e9,
        });
        return ports.accounts.changePassword(id, from, to);
      },
    });
    await changePassword({ ...ports, accounts })(member, GIVEN, SOURCE);
    expect(await ports.sessions.find('late')).to.equal(undefined);
    await authenticate(ports)(member.tokens.accessToken);
  });

  it('leaves no other session if the process dies right after the change', async () => {
    const { ports, member } = await setUp();
    const other = await signIn(ports)(CREDENTIALS, SOURCE);
    const accounts = instead(ports.accounts, {
      changePassword: async (id, from, to) => {
        await ports.accounts.changePassword(id, from, to);
        throw new Error('the process died');
      },
    });
    expect(await codeOf(changePassword({ ...ports, accounts })(member, GIVEN, SOURCE))).to.have.property(
      'message',
      'the process died',
    );
    await signIn(ports)({ ...CREDENTIALS, password: NEW }, SOURCE);
    expect(await codeOf(authenticate(ports)(other.accessToken))).to.equal('INVALID_TOKEN');
  });
});

describe('confirmPassword', () => {
  it('refuses an access token of a closed account', async () => {
    const { ports, clock, member } = await setUp();
    await ports.accounts.close(member.accountId, clock.now());
    expect(await codeOf(confirmPassword(ports)(member, CREDENTIALS.password, SOURCE))).to.equal('INVALID_TOKEN');
  });
});

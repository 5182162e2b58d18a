import {
  accountTokenTtlMs,
  authenticate,
  forgotPassword,
  refreshSession,
  resetPassword,
  signIn,
  verifyEmail,
  type LimitState,
} from '@palimpsest/core';
import { expect } from 'chai';
import {
  aMember,
  aWorld,
  codeOf,
  CREDENTIALS,
  deliverMails,
  instead,
  refusalOf,
  SOURCE,
  takeMails,
  tally,
  times,
  tokenIn,
  watched,
} from '../../world.ts';

const NEW = 'a new password';

const setUp = async () => {
  const { ports, memory } = aWorld();
  const member = await aMember(ports);
  await deliverMails(ports);
  const mailedToken = async () => {
    await forgotPassword(ports)(CREDENTIALS.email, SOURCE);
    return tokenIn((await deliverMails(ports)).find(({ text }) => text.includes('token=')));
  };
  return { ports, clock: memory.clock, faults: memory.faults, member, mailedToken, reset: resetPassword(ports) };
};

describe('resetPassword', () => {
  it('sets a new password with the mailed link, which works once', async () => {
    const { ports, reset, mailedToken } = await setUp();
    const token = await mailedToken();
    await reset({ token, password: NEW });
    expect(await codeOf(signIn(ports)(CREDENTIALS, SOURCE))).to.equal('INVALID_CREDENTIALS');
    await signIn(ports)({ ...CREDENTIALS, password: NEW }, SOURCE);
    expect(await codeOf(reset({ token, password: 'yet another one' }))).to.equal('INVALID_OR_EXPIRED_TOKEN');
  });

  it('ends all sessions and mails the owner', async () => {
    const { ports, reset, mailedToken, member } = await setUp();
    const others = [member.tokens, await signIn(ports)(CREDENTIALS, SOURCE), await signIn(ports)(CREDENTIALS, SOURCE)];
    const bob = await aMember(ports, { email: 'bob@example.org', password: 'battery staple' });
    await deliverMails(ports);
    await reset({ token: await mailedToken(), password: NEW });
    for (const { accessToken, refreshToken } of others) {
      expect(await codeOf(authenticate(ports)(accessToken))).to.equal('INVALID_TOKEN');
      expect(await codeOf(refreshSession(ports)(refreshToken))).to.equal('INVALID_REFRESH_TOKEN');
    }
    await authenticate(ports)(bob.tokens.accessToken);
    const [told, ...more] = await deliverMails(ports);
    expect(more).to.deep.equal([]);
    expect(told).to.include({ to: CREDENTIALS.email, subject: 'Your password was changed' });
  });

  it('accepts a link for an hour, and not a millisecond longer', async () => {
    for (const [waitMs, outcome] of [
      [-1, { ok: 1 }],
      [0, { INVALID_OR_EXPIRED_TOKEN: 1 }],
    ] as const) {
      const { clock, reset, mailedToken } = await setUp();
      const token = await mailedToken();
      clock.advance(accountTokenTtlMs['reset-password'] + waitMs);
      expect(await tally([reset({ token, password: NEW })])).to.deep.equal(outcome);
    }
  });

  it('accepts only the newest link', async () => {
    const { ports, clock, reset, mailedToken } = await setUp();
    const older = await mailedToken();
    clock.advance(60_000);
    const newer = await mailedToken();
    expect(await codeOf(reset({ token: older, password: NEW }))).to.equal('INVALID_OR_EXPIRED_TOKEN');
    await reset({ token: newer, password: NEW });
    await signIn(ports)({ ...CREDENTIALS, password: NEW }, SOURCE);
  });

  it('accepts only the newest link, even if the older mail is sent last', async () => {
    const { ports, clock, reset } = await setUp();
    await forgotPassword(ports)(CREDENTIALS.email, SOURCE);
    const [older] = await takeMails(ports);
    clock.advance(60_000);
    await forgotPassword(ports)(CREDENTIALS.email, SOURCE);
    const newer = tokenIn((await deliverMails(ports))[0]);
    await ports.jobs.enqueue('send-mail', { ...older });
    expect(await deliverMails(ports)).to.deep.equal([]);
    await reset({ token: newer, password: NEW });
  });

  it('lets exactly one of a hundred concurrent uses of one link succeed', async () => {
    const { ports, reset, mailedToken } = await setUp();
    const token = await mailedToken();
    const passwords = times(100, (i) => `new password ${i}`);
    expect(await tally(passwords.map((password) => reset({ token, password })))).to.deep.equal({
      ok: 1,
      INVALID_OR_EXPIRED_TOKEN: 99,
    });
    const sign = signIn(ports);
    expect(
      await tally(passwords.map((password, i) => sign({ ...CREDENTIALS, password }, { client: `c${i}` }))),
    ).to.include({ ok: 1 });
  });

  it('keeps the link valid if the new password is refused', async () => {
    const { reset, mailedToken } = await setUp();
    const token = await mailedToken();
    for (const password of ['short', 'password', CREDENTIALS.email, 'lone \ud800 surrogate', 'x'.repeat(257)]) {
      expect(await codeOf(reset({ token, password }))).to.equal('VALIDATION_ERROR');
    }
    await reset({ token, password: NEW });
  });

  it('refuses a changed token and a token of another purpose', async () => {
    const { ports, reset, mailedToken } = await setUp();
    const token = await mailedToken();
    for (const given of [
      '',
      token.slice(1),
      token.toUpperCase(),
      `${token} `,
      '0'.repeat(43),
      ports.secretTokens.digest(token),
    ]) {
      expect(await codeOf(reset({ token: given, password: NEW }))).to.equal('INVALID_OR_EXPIRED_TOKEN');
    }
    expect(await codeOf(verifyEmail(ports)(token))).to.equal('INVALID_OR_EXPIRED_TOKEN');
    await reset({ token, password: NEW });
  });

  it('succeeds even if the password is changed concurrently', async () => {
    const { ports, mailedToken, member } = await setUp();
    const token = await mailedToken();
    let changes = 0;
    const accounts = instead(ports.accounts, {
      changePassword: async (id, from, to) => {
        if (changes++ < 3)
          await ports.accounts.changePassword(
            id,
            (await ports.accounts.find(id))?.passwordHash ?? '',
            `changed ${changes}`,
          );
        return ports.accounts.changePassword(id, from, to);
      },
    });
    await resetPassword({ ...ports, accounts })({ token, password: NEW });
    expect(changes).to.equal(4);
    expect((await signIn(ports)({ ...CREDENTIALS, password: NEW }, SOURCE)).expiresInS).to.equal(3600);
    expect(member.email).to.equal(CREDENTIALS.email);
  });

  it('ends sessions that started during the reset, and all sessions if the process dies right after the change', async () => {
    const { ports, clock, mailedToken, member } = await setUp();
    const session = { accountId: member.accountId, createdAt: clock.now(), expiresAt: clock.now() + 1e9 };
    const before = instead(ports.accounts, {
      changePassword: async (id, from, to) => {
        await ports.sessions.add({ ...session, id: 'in between', refreshTokenDigest: 'd' });
        return ports.accounts.changePassword(id, from, to);
      },
    });
    await resetPassword({ ...ports, accounts: before })({ token: await mailedToken(), password: NEW });
    expect(await ports.sessions.find('in between')).to.equal(undefined);
    clock.advance(60_000);
    await ports.sessions.add({ ...session, id: 'other', refreshTokenDigest: 'e' });
    const dying = instead(ports.accounts, {
      changePassword: async (...given) => {
        await ports.accounts.changePassword(...given);
        throw new Error('the process died');
      },
    });
    await codeOf(
      resetPassword({ ...ports, accounts: dying })({ token: await mailedToken(), password: `${NEW} again` }),
    );
    await signIn(ports)({ ...CREDENTIALS, password: `${NEW} again` }, SOURCE);
    expect(await ports.sessions.find('other')).to.equal(undefined);
  });

  it('is refused if the account is closed meanwhile', async () => {
    const { ports, clock, mailedToken, member } = await setUp();
    const token = await mailedToken();
    const passwordHasher = instead(ports.passwordHasher, {
      hash: async (password) => {
        await ports.accounts.close(member.accountId, clock.now());
        return ports.passwordHasher.hash(password);
      },
    });
    expect(await codeOf(resetPassword({ ...ports, passwordHasher })({ token, password: NEW }))).to.equal(
      'INVALID_OR_EXPIRED_TOKEN',
    );
  });

  it('succeeds if the mail to the owner cannot be queued, and reports that', async () => {
    const { ports, faults, mailedToken } = await setUp();
    const token = await mailedToken();
    const jobs = instead(ports.jobs, { enqueue: () => Promise.reject(new Error('no queue')) });
    await resetPassword({ ...ports, jobs })({ token, password: NEW });
    expect(faults.reports.map(({ error }) => String(error))).to.deep.equal(['Error: no queue']);
    await signIn(ports)({ ...CREDENTIALS, password: NEW }, SOURCE);
  });
});

describe('forgotPassword', () => {
  it('makes the same calls for every address, and mails only to known ones', async () => {
    const stories: string[][] = [];
    for (const email of [CREDENTIALS.email, 'nobody@example.org']) {
      const { ports } = await setUp();
      const calls: string[] = [];
      await forgotPassword(watched(ports, (call) => calls.push(call)))(email, SOURCE);
      stories.push(calls);
      expect((await deliverMails(ports)).length).to.equal(email === CREDENTIALS.email ? 1 : 0);
    }
    expect(stories[0]).to.deep.equal(stories[1]);
    expect(stories[0]).to.include('jobs.enqueue').and.not.include('accounts.findByEmail');
  });

  it('allows one request a minute and five an hour for each address, known or not, in any spelling', async () => {
    for (const name of ['ada', 'nobody']) {
      const { ports, clock } = await setUp();
      const forgot = forgotPassword(ports);
      for (let i = 0; i < 5; i++) {
        await forgot(`${name}@example.org`, { client: `c${i}` });
        expect(await codeOf(forgot(` ${name.toUpperCase()}@EXAMPLE.org`, { client: 'other' }))).to.equal(
          'RATE_LIMITED',
        );
        clock.advance(60_000);
      }
      expect((await refusalOf(forgot(`${name}@example.org`, SOURCE))).retryAfterMs).to.equal(3_600_000 - 300_000);
    }
  });

  it('allows twenty addresses an hour for each client, and does not count invalid ones', async () => {
    const { ports } = await setUp();
    const forgot = forgotPassword(ports);
    for (let i = 0; i < 30; i++) expect(await codeOf(forgot('no address', SOURCE))).to.equal('VALIDATION_ERROR');
    expect(await tally(times(100, (i) => forgot(`a${i}@example.org`, SOURCE)))).to.deep.equal({
      ok: 20,
      RATE_LIMITED: 80,
    });
    let told: readonly LimitState[] = [];
    await forgot('b@example.org', {
      client: 'other',
      onLimits: (states) => {
        told = states;
      },
    });
    expect(told.map(({ name, remaining }) => [name, remaining])).to.deep.equal([
      ['forgot-minute', 0],
      ['forgot-hour', 4],
      ['forgot-client', 19],
    ]);
  });

  it('does not count a request whose mail could not be queued', async () => {
    const { ports } = await setUp();
    const jobs = instead(ports.jobs, { enqueue: () => Promise.reject(new Error('no queue')) });
    for (let i = 0; i < 25; i++)
      expect(await codeOf(forgotPassword({ ...ports, jobs })(CREDENTIALS.email, SOURCE))).to.have.property(
        'message',
        'no queue',
      );
    await forgotPassword(ports)(CREDENTIALS.email, SOURCE);
  });
});

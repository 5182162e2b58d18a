import { registerAccount, signIn, cleanUp, type LimitState } from '@palimpsest/core';
import { expect } from 'chai';
import {
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
  watched,
} from '../../world.ts';

const TAKEN_AGAIN = { ...CREDENTIALS, password: 'another horse' };

const setUp = () => {
  const { ports, memory } = aWorld();
  return { ports, clock: memory.clock, register: registerAccount(ports) };
};

describe('registerAccount', () => {
  it('creates an account that can sign in at once, and mails it a link', async () => {
    const { ports, register, clock } = setUp();
    await register(CREDENTIALS, SOURCE);
    expect(await ports.accounts.findByEmail(CREDENTIALS.email)).to.include({
      emailVerified: false,
      createdAt: clock.now(),
    });
    await signIn(ports)(CREDENTIALS, SOURCE);
    expect((await deliverMails(ports)).map(({ to, subject }) => [to, subject])).to.deep.equal([
      [CREDENTIALS.email, 'Verify your email address'],
    ]);
  });

  it('makes one durable write for a taken address as for a free one', async () => {
    const { ports } = setUp();
    await registerAccount(ports)(CREDENTIALS, { client: 'first' });
    const record = async (email: string, client: string): Promise<string[]> => {
      const calls: string[] = [];
      expect(
        await registerAccount(watched(ports, (call) => calls.push(call)))({ ...TAKEN_AGAIN, email }, { client }),
      ).to.equal(undefined);
      return calls;
    };
    const [free, taken] = [await record('free@example.org', 'c1'), await record(CREDENTIALS.email, 'c2')];
    // A store refuses a taken address without a write, which is faster. So another record is written instead.
    expect(taken.map((call) => (call === 'sessions.add' ? 'accounts.add' : call))).to.deep.equal(free);
    expect(taken).to.include.members(['passwordHasher.hash', 'accounts.findByEmail', 'sessions.add', 'jobs.enqueue']);
    expect(taken).not.to.include('accounts.add');
  });

  it('leaves only an expired record for a taken address, which the cleanup job removes', async () => {
    const { ports, register } = setUp();
    for (let i = 0; i < 3; i++) await register(CREDENTIALS, SOURCE);
    expect((await cleanUp(ports)()).recordsExpired).to.equal(2);
    expect((await cleanUp(ports)()).recordsExpired).to.equal(0);
  });

  it('mails only the owner of a taken address and changes nothing', async () => {
    const { ports, register } = setUp();
    await register(CREDENTIALS, SOURCE);
    await deliverMails(ports);
    const account = await ports.accounts.findByEmail(CREDENTIALS.email);
    await register({ ...TAKEN_AGAIN, email: ' ADA@Example.org' }, SOURCE);
    expect(
      (await deliverMails(ports)).map(({ to, subject, text }) => [to, subject, text.includes('token=')]),
    ).to.deep.equal([[CREDENTIALS.email, 'You already have an account', false]]);
    expect(await ports.accounts.findByEmail(CREDENTIALS.email)).to.deep.equal(account);
    await signIn(ports)(CREDENTIALS, SOURCE);
  });

  it('mails each owner at most three times a day about a taken address', async () => {
    const { ports, clock, register } = setUp();
    const bob = { email: 'bob@example.org', password: 'battery staple' };
    await register(CREDENTIALS, { client: 'home' });
    await register(bob, { client: 'home' });
    await deliverMails(ports);
    const noticesAfter = async (count: number) => {
      for (let i = 0; i < count; i++) await register(TAKEN_AGAIN, { client: `c${i}` });
      return (await deliverMails(ports)).length;
    };
    expect(await noticesAfter(10)).to.equal(3);
    clock.advance(23 * 3_600_000);
    expect(await noticesAfter(3)).to.equal(0);
    await register(bob, { client: 'c' });
    expect(await deliverMails(ports)).to.have.length(1);
    clock.advance(3_600_000);
    expect(await noticesAfter(10)).to.equal(3);
  });

  it('creates one account from a hundred concurrent registrations of one address', async () => {
    const { ports, register } = setUp();
    const passwords = times(100, (i) => `password no ${i}`);
    expect(
      await tally(passwords.map((password, i) => register({ ...CREDENTIALS, password }, { client: `c${i}` }))),
    ).to.deep.equal({ ok: 100 });
    const sign = signIn(ports);
    expect(
      (await tally(passwords.map((password, i) => sign({ ...CREDENTIALS, password }, { client: `s${i}` }))))['ok'],
    ).to.equal(1);
    expect((await takeMails(ports)).filter(({ mail }) => mail === 'verify-email')).to.have.length(1);
  });
});

describe('registerAccount for one client', () => {
  const other = (i: number) => ({ ...CREDENTIALS, email: `a${i}@example.org` });

  it('allows five registrations an hour', async () => {
    const { ports, register, clock } = setUp();
    for (let i = 0; i < 5; i++) await register(other(i), SOURCE);
    clock.advance(1000);
    expect(await refusalOf(register(other(5), SOURCE))).to.include({ code: 'RATE_LIMITED', retryAfterMs: 3_599_000 });
    expect(await ports.accounts.findByEmail('a5@example.org')).to.equal(undefined);
    await register(other(6), { client: 'other' });
    clock.advance(3_599_000);
    await register(other(5), SOURCE);
  });

  it('allows exactly five of a hundred concurrent registrations, of free and taken addresses alike', async () => {
    for (const email of [undefined, CREDENTIALS.email]) {
      const { register } = setUp();
      await register(CREDENTIALS, { client: 'home' });
      expect(await tally(times(100, (i) => register({ ...other(i), ...(email && { email }) }, SOURCE)))).to.deep.equal({
        ok: 5,
        RATE_LIMITED: 95,
      });
    }
  });

  it('does not count an invalid registration', async () => {
    const { register } = setUp();
    for (const wrong of [
      { email: 'no address' },
      { password: 'short' },
      { password: CREDENTIALS.email },
      { password: '\ud800'.repeat(9) },
      { email: '"a,b"@example.org' },
    ]) {
      for (let i = 0; i < 5; i++)
        expect(await codeOf(register({ ...CREDENTIALS, ...wrong }, SOURCE))).to.equal('VALIDATION_ERROR');
    }
    expect(await tally(times(6, (i) => register(other(i), SOURCE)))).to.deep.equal({ ok: 5, RATE_LIMITED: 1 });
  });

  it('refuses an invalid registration in the same way when the limit is reached', async () => {
    const { register } = setUp();
    for (let i = 0; i < 5; i++) await register(other(i), SOURCE);
    expect(await codeOf(register({ ...CREDENTIALS, password: 'short' }, SOURCE))).to.equal('VALIDATION_ERROR');
  });

  it('does not count a registration that failed', async () => {
    const { ports, register } = setUp();
    const broken = () => Promise.reject(new Error('it broke'));
    for (const change of [
      { passwordHasher: instead(ports.passwordHasher, { hash: broken }) },
      { accounts: instead(ports.accounts, { add: broken }) },
      { jobs: instead(ports.jobs, { enqueue: broken }) },
    ]) {
      for (let i = 0; i < 6; i++)
        expect(await codeOf(registerAccount({ ...ports, ...change })(other(i), SOURCE))).to.have.property(
          'message',
          'it broke',
        );
    }
    for (let i = 10; i < 15; i++) await register(other(i), SOURCE);
  });

  it('reports how many registrations are left', async () => {
    const { register, clock } = setUp();
    const told: (readonly LimitState[])[] = [];
    const source = { ...SOURCE, onLimits: (states: readonly LimitState[]) => told.push(states) };
    await register(other(0), source);
    clock.advance(60_000);
    await register(other(1), source);
    expect(told.flat().map(({ name, max, remaining, resetMs }) => [name, max, remaining, resetMs])).to.deep.equal([
      ['register-client', 5, 4, 3_600_000],
      ['register-client', 5, 3, 3_540_000],
    ]);
  });
});

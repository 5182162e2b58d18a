import { expect } from 'chai';
import { rateRules, type PasswordHasher } from '@palimpsest/core';
import { aClient, anEmail, aUser, describeWithWorld, login, register, type Sending } from './auth-world.ts';
import { PASSWORD, refusal } from './service.ts';

const HOUR_MS = 3_600_000;
const WRONG = 'a wrong password';

const retryAfter = (response: Response): number => Number(response.headers.get('retry-after'));

const statuses = (responses: readonly Response[]): number[] => responses.map(({ status }) => status);

describeWithWorld('rate limits', (world) => {
  const post = (path: string, body: unknown, sending?: Sending): Promise<Response> =>
    world().send(`/v1/auth/${path}`, body, sending);
  const attempt = (email: string, from: string, password = WRONG): Promise<Response> =>
    post('login', { email, password }, { from });

  const expectLimited = async (response: Response, least: number, most: number): Promise<number> => {
    const seconds = retryAfter(response);
    expect(await refusal(response)).to.include({ status: 429, code: 'RATE_LIMITED' });
    expect(Number.isInteger(seconds) && seconds >= 1, String(seconds)).to.equal(true);
    expect(seconds).to.be.within(least, most);
    return seconds;
  };

  /** Repeats the request shortly before and after the time that Retry-After stated. */
  const expectTrue = async (seconds: number, again: () => Promise<Response>): Promise<Response> => {
    world().advance((seconds - 2) * 1000);
    await expectLimited(await again(), 1, 3);
    world().advance(2000);
    const served = await again();
    expect(served.status).not.to.equal(429);
    return served;
  };

  it('L1, L2: one client may register five times per hour, and again after Retry-After', async () => {
    const from = aClient();
    const go = () => post('register', { email: anEmail(), password: PASSWORD }, { from });
    for (let i = 0; i < 5; i++) expect((await go()).status).to.equal(202);
    const seconds = await expectLimited(await go(), 3590, 3600);
    expect((await post('register', { email: anEmail(), password: PASSWORD })).status, 'another client').to.equal(202);
    expect((await expectTrue(seconds, go)).status).to.equal(202);
  });

  it('L3: invalid registrations do not count', async () => {
    const from = aClient();
    for (const body of [
      { email: 'no address', password: PASSWORD },
      { email: anEmail(), password: 'short' },
      {},
      'not json',
    ] as const) {
      for (let i = 0; i < 3; i++) expect((await post('register', body, { from })).status).to.equal(400);
    }
    for (let i = 0; i < 5; i++)
      expect((await post('register', { email: anEmail(), password: PASSWORD }, { from })).status).to.equal(202);
    expect((await post('register', { email: 'no address', password: PASSWORD }, { from })).status).to.equal(400);
  });

  it('L5: the client is the last address that the trusted proxy reports', async () => {
    const named = aClient();
    for (let i = 0; i < 5; i++) {
      expect(
        (await post('register', { email: anEmail(), password: PASSWORD }, { from: `9.9.9.${i}, ${named}` })).status,
      ).to.equal(202);
    }
    expect(
      (await post('register', { email: anEmail(), password: PASSWORD }, { from: `8.8.8.8, ${named}` })).status,
    ).to.equal(429);
    for (const from of ['', 'garbage', `${named}, unknown`]) {
      expect((await post('register', { email: anEmail(), password: PASSWORD }, { from })).status, from).to.equal(202);
    }
  });

  it('L6: all addresses of one IPv6 /64 network are one client, and so are all spellings of one IPv4 address', async () => {
    const go = (from: string) => post('register', { email: anEmail(), password: PASSWORD }, { from });
    for (let i = 1; i <= 5; i++) expect((await go(`2001:db8:7:7:${i}::${i}`)).status).to.equal(202);
    for (const from of ['2001:db8:7:7::99', '2001:DB8:7:7:FFFF::1', '2001:0db8:0007:0007::1%eth0'])
      expect((await go(from)).status, from).to.equal(429);
    expect((await go('2001:db8:7:8::1')).status).to.equal(202);
    for (const from of ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407', '::FFFF:C633:6407', '198.51.100.7'])
      expect((await go(from)).status, from).to.equal(202);
    expect((await go('::ffff:198.51.100.7')).status).to.equal(429);
  });

  it('L7: after three wrong passwords each further one blocks the login for 15, 30, 60, 120, 240, 300, 300 s', async () => {
    const email = anEmail();
    await register(world(), email);
    const from = aClient();
    for (let i = 0; i < 3; i++) expect((await attempt(email, from)).status).to.equal(401);
    for (const block of [15, 30, 60, 120, 240, 300, 300]) {
      const seconds = await expectLimited(await attempt(email, from), block - 1, block);
      await expectLimited(await attempt(email, from, PASSWORD), block - 1, block);
      expect((await expectTrue(seconds, () => attempt(email, from))).status).to.equal(401);
    }
  });

  it('L8: of 100 concurrent wrong passwords exactly 3 are checked', async () => {
    const email = anEmail();
    await register(world(), email);
    const { passwordHasher } = world().composition.ports;
    let looked = 0;
    const verify = passwordHasher.verify.bind(passwordHasher);
    const counting: PasswordHasher['verify'] = (password, hash) => {
      looked++;
      return verify(password, hash);
    };
    passwordHasher.verify = counting;
    const from = aClient();
    const answers = statuses(await Promise.all(Array.from({ length: 100 }, () => attempt(email, from))));
    passwordHasher.verify = verify;
    expect(looked).to.equal(3);
    expect([
      answers.filter((status) => status === 401).length,
      answers.filter((status) => status === 429).length,
    ]).to.deep.equal([3, 97]);
  });

  it('20 concurrent logins with the right password all succeed', async () => {
    const email = anEmail();
    await register(world(), email);
    const from = aClient();
    expect(
      new Set(statuses(await Promise.all(Array.from({ length: 20 }, () => attempt(email, from, PASSWORD))))),
    ).to.deep.equal(new Set([200]));
  });

  it('L9: a successful login resets the failures', async () => {
    const email = anEmail();
    await register(world(), email);
    const from = aClient();
    for (let round = 0; round < 2; round++) {
      expect(statuses([await attempt(email, from), await attempt(email, from)])).to.deep.equal([401, 401]);
      expect((await attempt(email, from, PASSWORD)).status).to.equal(200);
    }
    for (let i = 0; i < 3; i++) expect((await attempt(email, from)).status).to.equal(401);
    await expectLimited(await attempt(email, from), 14, 15);
  });

  it('L10: a login that is blocked for one client succeeds from another client', async () => {
    const email = anEmail();
    await register(world(), email);
    const from = aClient();
    for (let i = 0; i < 4; i++) await attempt(email, from);
    await expectLimited(await attempt(email, from, PASSWORD), 14, 15);
    await login(world(), email);
    await expectLimited(await attempt(email, from, PASSWORD), 14, 15);
  });

  it('failed logins expire after 24 hours', async () => {
    const email = anEmail();
    const from = aClient();
    for (let i = 0; i < 3; i++) await attempt(email, from);
    world().advance(24 * HOUR_MS);
    for (let i = 0; i < 3; i++) expect((await attempt(email, from)).status).to.equal(401);
    await expectLimited(await attempt(email, from), 14, 15);
  });

  it('L11: all spellings of one address share their failures', async () => {
    const email = anEmail();
    const from = aClient();
    for (const variant of [email, email.toUpperCase(), ` ${email} `])
      expect((await attempt(variant, from)).status).to.equal(401);
    await expectLimited(await attempt(email, from), 14, 15);
  });

  it('a client is blocked after 100 failed logins per hour, and an address after 50', async () => {
    const from = aClient();
    for (let i = 0; i < 34; i++) {
      const email = anEmail();
      for (let j = 0; j < 3 && i * 3 + j < 100; j++) expect((await attempt(email, from)).status).to.equal(401);
    }
    const seconds = await expectLimited(await attempt(anEmail(), from), 3000, 3600);
    const other = anEmail();
    await register(world(), other);
    await expectLimited(await attempt(other, from, PASSWORD), 3000, 3600);
    expect((await attempt(other, aClient(), PASSWORD)).status).to.equal(200);
    const victim = anEmail();
    await register(world(), victim);
    for (let i = 0; i < 50; i++) expect((await attempt(victim, aClient())).status).to.equal(401);
    await expectLimited(await attempt(victim, aClient(), PASSWORD), 3000, 3600);
    world().advance(seconds * 1000);
    expect((await attempt(anEmail(), from)).status).to.equal(401);
    world().advance(HOUR_MS);
    expect((await attempt(victim, aClient(), PASSWORD)).status).to.equal(200);
  });

  for (const path of ['resend-verification', 'forgot-password'] as const) {
    it(`L12: ${path} allows one request per minute and five per hour, and Retry-After states the longer wait`, async () => {
      const { email, access_token: token } = await aUser(world());
      const from = aClient();
      // Access tokens are valid for one hour, so the last requests need a new one.
      let bearer = token;
      const go = () => post(path, path === 'forgot-password' ? { email } : undefined, { token: bearer, from });
      expect((await go()).status).to.equal(202);
      world().advance(30_000);
      await expectLimited(await go(), 29, 30);
      world().advance(31_000);
      for (let i = 2; i <= 5; i++) {
        expect((await go()).status, `number ${i}`).to.equal(202);
        if (i < 5) world().advance(61_000);
      }
      const seconds = await expectLimited(await go(), 3600 - 61 * 5, 3600);
      world().advance(61_000);
      await expectLimited(await go(), seconds - 62, seconds - 60);
      world().advance((seconds - 63) * 1000);
      bearer = (await login(world(), email)).access_token;
      await expectLimited(await go(), 1, 3);
      world().advance(3000);
      expect((await go()).status).to.equal(202);
    });

    it(`L12: ${path} accepts exactly one of 20 concurrent requests`, async () => {
      const { email, access_token: token } = await aUser(world());
      const from = aClient();
      const answers = statuses(
        await Promise.all(
          Array.from({ length: 20 }, () =>
            post(path, path === 'forgot-password' ? { email } : undefined, { token, from }),
          ),
        ),
      );
      expect(answers.filter((status) => status === 202)).to.have.length(1);
      expect(answers.filter((status) => status === 429)).to.have.length(19);
    });
  }

  it('forgot-password allows 20 requests per hour and client', async () => {
    const from = aClient();
    for (let i = 0; i < 20; i++)
      expect((await post('forgot-password', { email: anEmail() }, { from })).status).to.equal(202);
    await expectLimited(await post('forgot-password', { email: anEmail() }, { from }), 3500, 3600);
  });

  it('wrong passwords at change-password and account deletion are limited per account, like logins', async () => {
    const [owner, other] = [await aUser(world()), await aUser(world())];
    const change = (token: string, current = WRONG) =>
      post('change-password', { current_password: current, password: 'a wholly new password' }, { token });
    for (let i = 0; i < 3; i++) expect((await change(owner.access_token)).status).to.equal(401);
    await expectLimited(await change(owner.access_token, PASSWORD), 14, 15);
    const remove = await world().send(
      '/v1/auth/me',
      { password: PASSWORD },
      { method: 'DELETE', token: owner.access_token },
    );
    await expectLimited(remove, 14, 15);
    expect((await change(other.access_token, PASSWORD)).status).to.equal(200);
  });

  it('L16: a counter from a clock that was ahead does not block longer than the limit', async () => {
    const { rateCounters, clock } = world().composition.ports;
    const from = aClient();
    // A clock that was one hour ahead wrote this counter.
    const key = `${rateRules.registrationsPerClient.name} ${from}`;
    for (let i = 0; i < 9; i++) await rateCounters.hit(key, HOUR_MS + HOUR_MS);
    expect((await rateCounters.peek(key))?.endsAt).to.be.above(clock.now() + HOUR_MS * 1000);
    expect((await post('register', { email: anEmail(), password: PASSWORD }, { from })).status).to.equal(202);
  });

  it('RateLimit headers state the limits and the remaining requests', async () => {
    const from = aClient();
    const first = await post('register', { email: anEmail(), password: PASSWORD }, { from });
    expect(first.headers.get('ratelimit-policy')).to.equal('"register-client";q=5;w=3600');
    expect(first.headers.get('ratelimit')).to.match(/^"register-client";r=4;t=(3600|3599)$/);
    const wrong = await attempt(anEmail(), from);
    expect(wrong.headers.get('ratelimit-policy')).to.equal(
      '"password";q=3;w=86400, "login-client";q=100;w=3600, "login-email";q=50;w=3600',
    );
    expect(wrong.headers.get('ratelimit')).to.match(
      /^"password";r=2;t=\d+, "login-client";r=99;t=\d+, "login-email";r=49;t=\d+$/,
    );
    const email = anEmail();
    for (let i = 0; i < 3; i++) await attempt(email, from);
    const blocked = await attempt(email, from);
    expect(blocked.headers.get('ratelimit')).to.match(/^"password";r=0;t=15,/);
    expect(retryAfter(blocked)).to.equal(15);
  });

  it('L17: expired counters are deleted', async () => {
    const { rateCounters } = world().composition.ports;
    for (let i = 0; i < 100; i++) await rateCounters.hit(`key ${i}`, 1000);
    world().advance(1000);
    for (let i = 0; i < 100; i++) expect(await rateCounters.peek(`key ${i}`)).to.equal(undefined);
  });
});

import { expect } from 'chai';
import { rateRules } from '@palimpsest/core';
import { aClient, anEmail, aUser, describeWithService, login } from '../timed-service.ts';
import { expectLimited, limitedRequests, retryAfter, statuses } from './limited-requests.ts';
import { PASSWORD } from '../service.ts';

const HOUR_MS = 3_600_000;
describeWithService('rate limits', (service) => {
  const { post, attempt, expectCorrectRetryAfter } = limitedRequests(service);

  it('one client may register five times per hour, and again after Retry-After', async () => {
    const from = aClient();
    const send = () => post('register', { email: anEmail(), password: PASSWORD }, { from });
    for (let i = 0; i < 5; i++) expect((await send()).status).to.equal(202);
    const seconds = await expectLimited(await send(), 3590, 3600);
    expect((await post('register', { email: anEmail(), password: PASSWORD })).status, 'another client').to.equal(202);
    expect((await expectCorrectRetryAfter(seconds, send)).status).to.equal(202);
  });

  it('invalid registrations do not count', async () => {
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

  it('the client is the last address that the trusted proxy reports', async () => {
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

  it('all addresses of one IPv6 /64 network are one client, and so are all spellings of one IPv4 address', async () => {
    const send = (from: string) => post('register', { email: anEmail(), password: PASSWORD }, { from });
    for (let i = 1; i <= 5; i++) expect((await send(`2001:db8:7:7:${i}::${i}`)).status).to.equal(202);
    for (const from of ['2001:db8:7:7::99', '2001:DB8:7:7:FFFF::1', '2001:0db8:0007:0007::1%eth0'])
      expect((await send(from)).status, from).to.equal(429);
    expect((await send('2001:db8:7:8::1')).status).to.equal(202);
    for (const from of ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407', '::FFFF:C633:6407', '198.51.100.7'])
      expect((await send(from)).status, from).to.equal(202);
    expect((await send('::ffff:198.51.100.7')).status).to.equal(429);
  });

  for (const path of ['resend-verification', 'forgot-password'] as const) {
    it(`${path} allows one request per minute and five per hour, and Retry-After states when both limits allow the next one`, async () => {
      const { email, access_token: token } = await aUser(service());
      const from = aClient();
      // Access tokens are valid for one hour, so the last requests need a new one.
      let bearer = token;
      const send = () => post(path, path === 'forgot-password' ? { email } : undefined, { token: bearer, from });
      expect((await send()).status).to.equal(202);
      service().advance(30_000);
      await expectLimited(await send(), 29, 30);
      service().advance(31_000);
      for (let i = 2; i <= 5; i++) {
        expect((await send()).status, `number ${i}`).to.equal(202);
        if (i < 5) service().advance(61_000);
      }
      const seconds = await expectLimited(await send(), 3600 - 61 * 5, 3600);
      service().advance(61_000);
      await expectLimited(await send(), seconds - 62, seconds - 60);
      service().advance((seconds - 63) * 1000);
      bearer = (await login(service(), email)).access_token;
      await expectLimited(await send(), 1, 3);
      service().advance(3000);
      expect((await send()).status).to.equal(202);
    });

    it(`${path} accepts exactly one of 20 concurrent requests`, async () => {
      const { email, access_token: token } = await aUser(service());
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

  it('a counter that was stored while the clock was one hour ahead does not block', async () => {
    const { rateCounters, clock } = service().composition.ports;
    const from = aClient();
    // A process whose clock was one hour ahead would store this counter.
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

  it('a counter is not returned after its window has ended', async () => {
    const { rateCounters } = service().composition.ports;
    for (let i = 0; i < 100; i++) await rateCounters.hit(`key ${i}`, 1000);
    service().advance(1000);
    for (let i = 0; i < 100; i++) expect(await rateCounters.peek(`key ${i}`)).to.equal(undefined);
  });
});

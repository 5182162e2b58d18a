import { request } from 'node:http';
import { rateRules } from '@palimpsest/core';
import { SystemClock } from '@palimpsest/crypto';
import { expect } from 'chai';
import { PASSWORD } from '../service.ts';
import { steppedDate, type ShiftedDate } from '../shifted-date.ts';
import { anEmail, startServiceOnDate } from '../timed-service.ts';

const WRONG = 'a wrong password';

describe('rate limits of several services, clients and clocks', () => {
  let date: ShiftedDate;
  beforeEach(() => {
    date = steppedDate();
  });
  afterEach(() => date.restore());

  const body = (email: string, password: string): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });

  it('without a trusted proxy, no header changes the client address', async () => {
    const service = await startServiceOnDate({ TRUST_PROXY: '0' });
    const send = async (headers: Record<string, string>): Promise<number> => {
      const init = body(anEmail(), PASSWORD);
      return (
        await fetch(`${service.url}/v1/auth/register`, {
          ...init,
          headers: { ...(init.headers as Record<string, string>), ...headers },
        })
      ).status;
    };
    try {
      for (let i = 0; i < 5; i++) expect(await send({ 'x-forwarded-for': `1.2.3.${i}` })).to.equal(202);
      for (const headers of [
        { 'x-forwarded-for': '1.2.3.4' },
        { 'x-real-ip': '1.2.3.4' },
        { forwarded: 'for=1.2.3.4' },
        { 'cf-connecting-ip': '1.2.3.4' },
        { 'true-client-ip': '1.2.3.4' },
        { 'x-client-ip': '1.2.3.4' },
        { 'x-forwarded-for': Array.from({ length: 20 }, (_, i) => `5.6.7.${i}`).join(', ') },
      ]) {
        expect(await send(headers), JSON.stringify(headers)).to.equal(429);
      }
      // Another address of this machine is another client. Only Linux has several loopback addresses by default.
      if (process.platform !== 'linux') return;
      const { port } = new URL(service.url);
      const other = await new Promise<number | undefined>((resolve, reject) => {
        const { method, headers, body: json } = body(anEmail(), PASSWORD);
        request({
          port,
          host: '127.0.0.1',
          localAddress: '127.0.0.2',
          path: '/v1/auth/register',
          method,
          headers: headers as Record<string, string>,
        })
          .once('response', (response) => {
            response.resume();
            resolve(response.statusCode);
          })
          .once('error', reject)
          .end(json);
      });
      expect(other).to.equal(202);
    } finally {
      await service.close();
    }
  });

  it('a blocked login stays blocked in a second service on the same database and after a restart', async () => {
    const first = await startServiceOnDate();
    const { env } = first;
    const email = anEmail();
    const attempt = async (url: string, password = WRONG): Promise<number> =>
      (await fetch(`${url}/v1/auth/login`, body(email, password))).status;
    await fetch(`${first.url}/v1/auth/register`, body(email, PASSWORD));
    const second = await startServiceOnDate(env);
    expect([await attempt(first.url), await attempt(second.url), await attempt(first.url)]).to.deep.equal([
      401, 401, 401,
    ]);
    expect([await attempt(second.url, PASSWORD), await attempt(first.url, PASSWORD)]).to.deep.equal([429, 429]);
    await second.close();
    const third = await startServiceOnDate(env);
    expect(await attempt(third.url, PASSWORD)).to.equal(429);
    await third.close();
    await first.close();
  });

  it('of 100 concurrent wrong passwords at two services exactly 3 are checked', async () => {
    const first = await startServiceOnDate();
    const second = await startServiceOnDate(first.env);
    const email = anEmail();
    await fetch(`${first.url}/v1/auth/register`, body(email, PASSWORD));
    const answers = await Promise.all(
      Array.from(
        { length: 100 },
        async (_, i) => (await fetch(`${(i % 2 === 0 ? first : second).url}/v1/auth/login`, body(email, WRONG))).status,
      ),
    );
    expect(answers.filter((status) => status === 401)).to.have.length(3);
    expect(answers.filter((status) => status === 429)).to.have.length(97);
    await second.close();
    await first.close();
  });

  it('limits stay in force when the wall clock is set back', async () => {
    const service = await startServiceOnDate();
    // The clock of the service does not go back, but waits for the wall clock.
    const clock = new SystemClock({ wall: () => Date.now() * 1000, monotonic: () => 0 });
    service.composition.ports.clock.now = () => clock.now();
    try {
      date.advance(-4_000_000);
      for (const email of [anEmail(), anEmail()]) {
        const answers = [];
        for (let i = 0; i < 20; i++) answers.push(await fetch(`${service.url}/v1/auth/login`, body(email, WRONG)));
        expect(answers.filter(({ status }) => status === 401)).to.have.length(3);
        // Retry-After is correct, too.
        for (const limited of answers.slice(3)) expect(Number(limited.headers.get('retry-after'))).to.be.within(1, 15);
      }
    } finally {
      await service.close();
    }
  });

  it('150 users behind one client address all sign in at the same time with the right password', async () => {
    const service = await startServiceOnDate({ TRUST_PROXY: '0' });
    const { accounts, passwordHasher, ids, clock } = service.composition.ports;
    const passwordHash = await passwordHasher.hash(PASSWORD);
    const emails = Array.from({ length: 150 }, () => anEmail());
    for (const email of emails)
      await accounts.add({ id: ids.next(), email, passwordHash, emailVerified: true, createdAt: clock.now() });
    // The first logins wait until the number of logins in progress reaches the limit of the client address.
    const { max } = rateRules.loginFailuresPerClient;
    const allStarted = Promise.withResolvers<void>();
    let started = 0;
    passwordHasher.verify = async (password) => {
      started++;
      if (started === max) allStarted.resolve();
      await allStarted.promise;
      return password === PASSWORD;
    };
    const answers = await Promise.all(
      emails.map(async (email) => (await fetch(`${service.url}/v1/auth/login`, body(email, PASSWORD))).status),
    );
    await service.close();
    expect(answers.filter((status) => status !== 200)).to.deep.equal([]);
  });
});

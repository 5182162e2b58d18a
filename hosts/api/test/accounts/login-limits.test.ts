import { expect } from 'chai';
import type { PasswordHasher } from '@palimpsest/core';
import { aClient, anEmail, aUser, describeWithService, login, register } from '../timed-service.ts';
import { expectLimited, limitedRequests, statuses, WRONG_PASSWORD } from './limited-requests.ts';
import { PASSWORD } from '../service.ts';

const HOUR_MS = 3_600_000;
describeWithService('rate limits of logins', (service) => {
  const { post, attempt, expectCorrectRetryAfter } = limitedRequests(service);

  it('after three wrong passwords, each further one blocks the login for 15, 30, 60, 120, 240, 300, 300 s', async () => {
    const email = anEmail();
    await register(service(), email);
    const from = aClient();
    for (let i = 0; i < 3; i++) expect((await attempt(email, from)).status).to.equal(401);
    for (const block of [15, 30, 60, 120, 240, 300, 300]) {
      const seconds = await expectLimited(await attempt(email, from), block - 1, block);
      await expectLimited(await attempt(email, from, PASSWORD), block - 1, block);
      expect((await expectCorrectRetryAfter(seconds, () => attempt(email, from))).status).to.equal(401);
    }
  });

  it('of 100 concurrent wrong passwords exactly 3 are checked', async () => {
    const email = anEmail();
    await register(service(), email);
    const { passwordHasher } = service().composition.ports;
    let checked = 0;
    const verify = passwordHasher.verify.bind(passwordHasher);
    const counting: PasswordHasher['verify'] = (password, hash) => {
      checked++;
      return verify(password, hash);
    };
    passwordHasher.verify = counting;
    const from = aClient();
    const answers = statuses(await Promise.all(Array.from({ length: 100 }, () => attempt(email, from))));
    passwordHasher.verify = verify;
    expect(checked).to.equal(3);
    expect([
      answers.filter((status) => status === 401).length,
      answers.filter((status) => status === 429).length,
    ]).to.deep.equal([3, 97]);
  });

  it('20 concurrent logins with the right password all succeed', async () => {
    const email = anEmail();
    await register(service(), email);
    const from = aClient();
    expect(
      new Set(statuses(await Promise.all(Array.from({ length: 20 }, () => attempt(email, from, PASSWORD))))),
    ).to.deep.equal(new Set([200]));
  });

  it('a successful login resets the count of failed logins', async () => {
    const email = anEmail();
    await register(service(), email);
    const from = aClient();
    for (let round = 0; round < 2; round++) {
      expect(statuses([await attempt(email, from), await attempt(email, from)])).to.deep.equal([401, 401]);
      expect((await attempt(email, from, PASSWORD)).status).to.equal(200);
    }
    for (let i = 0; i < 3; i++) expect((await attempt(email, from)).status).to.equal(401);
    await expectLimited(await attempt(email, from), 14, 15);
  });

  it('a login that is blocked for one client succeeds from another client', async () => {
    const email = anEmail();
    await register(service(), email);
    const from = aClient();
    for (let i = 0; i < 4; i++) await attempt(email, from);
    await expectLimited(await attempt(email, from, PASSWORD), 14, 15);
    await login(service(), email);
    await expectLimited(await attempt(email, from, PASSWORD), 14, 15);
  });

  it('failed logins do not count any more after 24 hours', async () => {
    const email = anEmail();
    const from = aClient();
    for (let i = 0; i < 3; i++) await attempt(email, from);
    service().advance(24 * HOUR_MS);
    for (let i = 0; i < 3; i++) expect((await attempt(email, from)).status).to.equal(401);
    await expectLimited(await attempt(email, from), 14, 15);
  });

  it('failed logins with different spellings of one address count together', async () => {
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
    await register(service(), other);
    await expectLimited(await attempt(other, from, PASSWORD), 3000, 3600);
    expect((await attempt(other, aClient(), PASSWORD)).status).to.equal(200);
    const victim = anEmail();
    await register(service(), victim);
    for (let i = 0; i < 50; i++) expect((await attempt(victim, aClient())).status).to.equal(401);
    await expectLimited(await attempt(victim, aClient(), PASSWORD), 3000, 3600);
    service().advance(seconds * 1000);
    expect((await attempt(anEmail(), from)).status).to.equal(401);
    service().advance(HOUR_MS);
    expect((await attempt(victim, aClient(), PASSWORD)).status).to.equal(200);
  });

  it('wrong passwords at change-password and account deletion are limited per account, like logins', async () => {
    const [owner, other] = [await aUser(service()), await aUser(service())];
    const change = (token: string, current = WRONG_PASSWORD) =>
      post('change-password', { current_password: current, password: 'a wholly new password' }, { token });
    for (let i = 0; i < 3; i++) expect((await change(owner.access_token)).status).to.equal(401);
    await expectLimited(await change(owner.access_token, PASSWORD), 14, 15);
    const remove = await service().send(
      '/v1/auth/me',
      { password: PASSWORD },
      { method: 'DELETE', token: owner.access_token },
    );
    await expectLimited(remove, 14, 15);
    expect((await change(other.access_token, PASSWORD)).status).to.equal(200);
  });
});

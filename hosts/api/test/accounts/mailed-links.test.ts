import { expect } from 'chai';
import {
  aUser,
  describeWithService,
  getAccount,
  ISSUER,
  login,
  newestMail,
  register,
  tokenIn,
  type Sending,
} from '../timed-service.ts';
import { refusal } from '../service.ts';
import { comparable, expectSame } from './comparable-response.ts';

describeWithService('links and tokens in e-mails', (service) => {
  const post = (path: string, body: unknown, sending?: Sending): Promise<Response> =>
    service().send(`/v1/auth/${path}`, body, sending);

  it('only the token from the e-mail verifies an address, and only once', async () => {
    const [owner, other] = [await aUser(service()), await aUser(service())];
    const token = tokenIn(await newestMail(service(), owner.email, 'Verify'));
    const refused = [];
    for (const wrong of [
      token.slice(1),
      `${token}x`,
      token.toLowerCase(),
      '0'.repeat(43),
      'x',
      owner.refresh_token,
      owner.access_token,
    ]) {
      refused.push(await comparable(await post('verify-email', { token: wrong })));
      refused.push(await comparable(await post('reset-password', { token: wrong, password: 'a wholly new password' })));
    }
    refused.push(await comparable(await post('reset-password', { token, password: 'a wholly new password' })));
    expect((await getAccount(service(), owner.access_token)).user['email_verified']).to.equal(false);
    const verified = await post('verify-email', { token });
    expect([verified.status, Object.keys((await verified.json()) as object)]).to.deep.equal([200, ['message']]);
    expect((await getAccount(service(), owner.access_token)).user['email_verified']).to.equal(true);
    expect((await getAccount(service(), other.access_token)).user['email_verified']).to.equal(false);
    refused.push(await comparable(await post('verify-email', { token })));
    expectSame(refused);
    expect(JSON.parse(refused[0] ?? '')[0]).to.equal(400);
    expect(refused[0]).to.include('INVALID_OR_EXPIRED_TOKEN');
    await login(service(), owner.email);
  });

  it('a verification token expires after 24 hours and a reset token after 1 hour', async () => {
    const owner = await aUser(service());
    const verifying = tokenIn(await newestMail(service(), owner.email, 'Verify'));
    await post('forgot-password', { email: owner.email });
    const resetting = tokenIn(await newestMail(service(), owner.email, 'Reset'));
    service().advance(3_600_001);
    expect((await post('reset-password', { token: resetting, password: 'a wholly new password' })).status).to.equal(
      400,
    );
    service().advance(23 * 3_600_000);
    expect((await post('verify-email', { token: verifying })).status).to.equal(400);
  });

  it('only the newest reset token is valid, and a refused password does not use it up', async () => {
    const { email } = await aUser(service());
    await post('forgot-password', { email });
    const older = tokenIn(await newestMail(service(), email, 'Reset'));
    service().advance(61_000);
    await post('forgot-password', { email });
    const newer = tokenIn(await newestMail(service(), email, 'Reset'));
    expect(newer).not.to.equal(older);
    expect(await refusal(await post('reset-password', { token: older, password: 'a wholly new password' }))).to.include(
      { status: 400, code: 'INVALID_OR_EXPIRED_TOKEN' },
    );
    expect(await refusal(await post('reset-password', { token: newer, password: 'short' }))).to.include({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
    expect((await post('reset-password', { token: newer, password: 'a wholly new password' })).status).to.equal(200);
    await login(service(), email, 'a wholly new password');
    await newestMail(service(), email, 'Your password was changed');
  });

  it('of 100 concurrent requests with one reset token exactly one succeeds', async () => {
    const { email } = await aUser(service());
    await post('forgot-password', { email });
    const token = tokenIn(await newestMail(service(), email, 'Reset'));
    const passwords = Array.from({ length: 100 }, (_, i) => `parallel password ${i}`);
    const answers = await Promise.all(passwords.map((password) => post('reset-password', { token, password })));
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).to.have.length(1);
    expect(answers.every(({ status }) => [200, 400, 503].includes(status))).to.equal(true);
    const accepted = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    await login(service(), email, accepted);
  });

  it('links in e-mails use PUBLIC_URL, even if the headers of the request name another host', async () => {
    const { email } = await aUser(service());
    const headers = {
      'x-forwarded-host': 'evil.example.net',
      forwarded: 'host=evil.example.net',
      'x-forwarded-proto': 'gopher',
      referer: 'https://evil.example.net',
    };
    await post('forgot-password', { email }, { headers });
    const mail = await newestMail(service(), email, 'Reset');
    expect(mail.text).to.include(`${ISSUER}/reset-password?token=`);
    expect(mail.text + mail.html).not.to.include('evil');
    const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(links.every((href) => href?.startsWith(`${ISSUER}/`))).to.equal(true);
  });

  it('opening the verification link does not verify the address', async () => {
    const owner = await aUser(service());
    const mail = await newestMail(service(), owner.email, 'Verify');
    const token = tokenIn(mail);
    for (const method of ['HEAD', 'GET', 'GET']) {
      const page = await service().send(`/verify-email?token=${token}`, undefined, { method });
      expect(page.status).to.equal(200);
      expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(page.headers.get('cache-control')).to.equal('no-store');
      expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
      expect(page.headers.get('content-security-policy')).to.match(/default-src 'none'; script-src 'nonce-/);
      expect(await page.text()).not.to.include(token);
    }
    expect((await getAccount(service(), owner.access_token)).user['email_verified']).to.equal(false);
    expect((await post('verify-email', { token })).status).to.equal(200);
  });

  it('each link in an e-mail leads to a page with its own nonce', async () => {
    const { email } = await aUser(service());
    await register(service(), email);
    const mail = await newestMail(service(), email, 'already have an account');
    const link = /href="([^"]*)"/.exec(mail.html)?.[1] ?? '';
    expect(link).to.equal(`${ISSUER}/forgot-password`);
    for (const [path, endpoint, field] of [
      ['/forgot-password', 'v1/auth/forgot-password', 'email'],
      ['/reset-password?token=x', 'v1/auth/reset-password', 'password'],
      ['/verify-email?token=x', 'v1/auth/verify-email', undefined],
    ] as const) {
      const page = await service().send(path, undefined, { method: 'GET' });
      const html = await page.text();
      expect([page.status, page.headers.get('content-type')], path).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(html).to.include(`fetch('${endpoint}'`);
      expect(/<input name="([a-z]+)"/.exec(html)?.[1]).to.equal(field);
      // The nonce allows only the script and the style of the page.
      const nonce = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1];
      expect(html.match(/nonce="[^"]+"/g)).to.deep.equal([`nonce="${nonce}"`, `nonce="${nonce}"`]);
    }
  });
});

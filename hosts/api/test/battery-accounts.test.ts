import { expect } from 'chai';
import {
  aClient,
  anEmail,
  aUser,
  describeWithWorld,
  ISSUER,
  login,
  newestMail,
  register,
  tokenIn,
  type Sending,
} from './auth-world.ts';
import { countCalls } from './port-calls.ts';
import { PASSWORD, refusal } from './service.ts';

const VARYING = new Set(['date', 'x-request-id', 'content-length', 'content-security-policy']);

/** Rounds the waiting times up to 5 s, because the clock advances between two requests. */
const roundedWaits = (answer: string): string =>
  answer.replaceAll(/(?<=t=|Try again in |retry-after",")\d+/g, (seconds) =>
    String(5 * Math.round((Number(seconds) + 2) / 5)),
  );

/** Everything that a client can see of a response, except the parts that differ in every response. */
const seen = async (response: Response): Promise<string> =>
  roundedWaits(
    JSON.stringify([
      response.status,
      await response.text(),
      [...response.headers].filter(([name]) => !VARYING.has(name)),
    ]),
  );

const same = (answers: readonly string[]): void => {
  expect(new Set(answers), answers.join('\n')).to.have.property('size', 1);
};

describeWithWorld('accounts', (world) => {
  const post = (path: string, body: unknown, sending?: Sending): Promise<Response> =>
    world().send(`/v1/auth/${path}`, body, sending);
  const me = async (token: string): Promise<{ user: Record<string, unknown> }> =>
    (await (await world().send('/v1/auth/me', undefined, { method: 'GET', token })).json()) as {
      user: Record<string, unknown>;
    };

  it('GET /me returns exactly the fields of the interface', async () => {
    const owner = await aUser(world());
    const body = await me(owner.access_token);
    expect(Object.keys(body)).to.deep.equal(['user']);
    expect(Object.keys(body.user)).to.deep.equal(['id', 'email', 'email_verified', 'created_at']);
    expect(body.user).to.include({ email: owner.email, email_verified: false });
    expect(body.user['created_at']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  });

  it('A10: a login with a wrong password gets the same answer for known and unknown addresses', async () => {
    const email = anEmail();
    await register(world(), email);
    const verified = await aUser(world());
    await post('verify-email', { token: tokenIn(await newestMail(world(), verified.email, 'Verify')) });
    const answers = [];
    for (const each of [email, verified.email, 'unknown@example.org', 'no address']) {
      answers.push(await seen(await post('login', { email: each, password: 'a wrong password' })));
    }
    same(answers);
    const locked = aClient();
    for (let i = 0; i < 3; i++) await post('login', { email, password: 'wrong wrong' }, { from: locked });
    for (let i = 0; i < 3; i++)
      await post('login', { email: 'unknown@example.org', password: 'wrong wrong' }, { from: locked });
    same([
      await seen(await post('login', { email, password: 'wrong wrong' }, { from: locked })),
      await seen(await post('login', { email: 'unknown@example.org', password: 'wrong wrong' }, { from: locked })),
      await seen(await post('login', { email, password: PASSWORD }, { from: locked })),
    ]);
  });

  /** The calls of the ports whose work a client could measure. */
  const workOf = (path: string, body: unknown): Promise<Readonly<Record<string, number>>> =>
    countCalls(
      world().composition,
      ['passwordHasher', 'accounts', 'accountTokens', 'sessions', 'jobs', 'rateCounters'],
      () => post(path, body),
    );

  it('A11: a failed login makes the same port calls for known and unknown addresses', async () => {
    const email = anEmail();
    await register(world(), email);
    const registered = await workOf('login', { email, password: 'a wrong password' });
    expect(registered).to.include({ 'passwordHasher.verify': 1, 'accounts.findByEmail': 1 });
    expect(await workOf('login', { email: anEmail(), password: 'a wrong password' })).to.deep.equal(registered);
  });

  it('A12: registering a taken address gets the normal answer, and its owner gets an e-mail', async () => {
    const [taken, free] = [anEmail(), anEmail()];
    await register(world(), taken);
    const answers = [
      await seen(await register(world(), taken, 'another password')),
      await seen(await register(world(), free)),
    ];
    same(answers);
    expect(JSON.parse(answers[0] ?? '')[0]).to.equal(202);
    const mail = await newestMail(world(), taken, 'already have an account');
    expect(mail.text).to.include('has an account already').and.not.include('token=');
    await newestMail(world(), free, 'Verify');
    await login(world(), taken);
    expect((await post('login', { email: taken, password: 'another password' })).status).to.equal(401);
  });

  it('A12, A13: register and forgot-password hash, write and queue as much for a known address as for an unknown one', async () => {
    const email = anEmail();
    await register(world(), email);
    // A taken address costs one durable write, too: a session that has expired already.
    const { 'sessions.add': substitute, ...taken } = await workOf('register', { email, password: PASSWORD });
    const { 'accounts.add': added, ...free } = await workOf('register', { email: anEmail(), password: PASSWORD });
    expect([substitute, added]).to.deep.equal([1, 1]);
    expect(taken).to.deep.equal(free);
    expect(taken).to.include({ 'passwordHasher.hash': 1, 'jobs.enqueue': 1 });
    const known = await workOf('forgot-password', { email });
    expect(known).to.include({ 'jobs.enqueue': 1 });
    expect(await workOf('forgot-password', { email: anEmail() })).to.deep.equal(known);
  });

  it('A13: forgot-password and resend-verification give every address the same answer, and only the right owner gets an e-mail', async () => {
    const [unverified, verified] = [await aUser(world()), await aUser(world())];
    await post('verify-email', { token: tokenIn(await newestMail(world(), verified.email, 'Verify')) });
    const forgot = [];
    for (const email of [unverified.email, verified.email, 'nobody@example.org'])
      forgot.push(await seen(await post('forgot-password', { email })));
    same(forgot);
    expect(JSON.parse(forgot[0] ?? '')[0]).to.equal(202);
    await newestMail(world(), unverified.email, 'Reset');
    await newestMail(world(), verified.email, 'Reset');
    const before = (await world().mails()).length;
    const resent = [];
    for (const { access_token: token } of [unverified, verified])
      resent.push(await seen(await post('resend-verification', undefined, { token })));
    same(resent);
    expect(JSON.parse(resent[0] ?? '')[0]).to.equal(202);
    const sent = (await world().mails()).slice(before);
    expect(sent.map(({ to }) => to)).to.deep.equal([unverified.email]);
    expect((await world().mails()).filter(({ to }) => to === 'nobody@example.org')).to.deep.equal([]);
    expect((await post('resend-verification', undefined)).status).to.equal(401);
  });

  it('A14: rate limits of login and forgot-password are the same for known and unknown addresses', async () => {
    const known = anEmail();
    await register(world(), known);
    const from = aClient();
    for (const path of ['login', 'forgot-password']) {
      const answers = await Promise.all(
        [known, 'never-seen@example.org'].map(async (email) => {
          const all = [];
          for (let i = 0; i < 5; i++)
            all.push(await seen(await post(path, { email, password: 'wrong wrong' }, { from })));
          // The counters of the client include the requests for both addresses.
          return all.map((answer) =>
            answer.replace(/(login-client|forgot-client)\\";r=\d+;t=\d+/g, '$1').replace(/;t=\d+/g, ''),
          );
        }),
      );
      expect(answers[0]?.map((answer) => answer.replace(/in \d+ seconds?|"retry-after","\d+"/g, ''))).to.deep.equal(
        answers[1]?.map((answer) => answer.replace(/in \d+ seconds?|"retry-after","\d+"/g, '')),
      );
    }
  });

  it('A15: other methods on account paths get 405', async () => {
    for (const path of ['register', 'login', 'refresh', 'forgot-password', 'reset-password', 'verify-email']) {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
        const response = await post(path, undefined, { method });
        expect([response.status, response.headers.get('allow')], `${method} ${path}`).to.deep.equal([
          405,
          'OPTIONS, POST',
        ]);
      }
      expect((await post(path, undefined, { method: 'OPTIONS' })).status).to.equal(204);
    }
  });

  it('A20: spellings of one address that differ in case and spaces belong to one account', async () => {
    const email = anEmail();
    for (const variant of [email, email.toUpperCase(), ` ${email}\t`, email.replace('example.org', 'EXAMPLE.org')]) {
      expect((await register(world(), variant, `password of ${variant.length} ${variant}`)).status).to.equal(202);
    }
    await login(world(), email.toUpperCase(), `password of ${email.length} ${email}`);
    expect(
      (await post('login', { email, password: `password of ${email.length} ${email.toUpperCase()}` })).status,
    ).to.equal(401);
  });

  for (const [id, email] of [
    ['A21', 'ｕser@example.org'],
    ['A21', 'user@exämple.org'],
    ['A21', 'userı@example.org'],
    ['A21', '\u212Aelvin@example.org'],
    ['A21', 'user\u200b@example.org'],
    ['A21', 'user@example\u202e.org'],
    ['A22', '"a,b"@example.org'],
    ['A22', 'a@example.org,b@example.net'],
    ['A22', 'a@example.org\r\nBcc: b@example.net'],
    ['A22', 'g:a@example.org;'],
    ['A22', 'a(comment)@example.org'],
    ['A22', 'a@example.org(comment)'],
    ['A22', 'a@[127.0.0.1]'],
    ['A22', 'a@127.0.0.1'],
    ['A22', 'a@localhost'],
    ['A22', `${'x'.repeat(65)}@example.org`],
    ['A22', `a@${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(66)}.org`],
    ['A22', 'a@example..org'],
    ['A22', '.a@example.org'],
    ['A22', 'a..b@example.org'],
    ['A22', 'a@-example.org'],
    ['A22', '<a@example.org>'],
    ['A22', 'Ada <a@example.org>'],
    ['A22', 'a@example.org\0'],
    ['A22', ''],
  ] as const) {
    it(`${id}: register and forgot-password refuse the address ${JSON.stringify(email.slice(0, 40))}`, async () => {
      for (const path of ['register', 'forgot-password']) {
        const { status, code, message } = await refusal(await post(path, { email, password: PASSWORD }));
        expect([status, code]).to.deep.equal([400, 'VALIDATION_ERROR']);
        expect(message).to.include('email');
      }
      expect((await post('login', { email, password: PASSWORD })).status).to.equal(401);
    });
  }

  it('A21: an address with a punycode domain can register and log in', async () => {
    expect((await register(world(), 'user@xn--exmple-cua.org')).status).to.equal(202);
    await login(world(), 'user@XN--exmple-cua.org');
  });

  it('A23: passwords may have 8 to 256 characters, and every character counts', async () => {
    for (const [length, status] of [
      [7, 400],
      [8, 202],
      [64, 202],
      [72, 202],
      [73, 202],
      [256, 202],
      [257, 400],
      [10_000, 400],
    ] as const) {
      expect((await register(world(), anEmail(), 'ü'.repeat(length))).status, String(length)).to.equal(status);
    }
    expect((await register(world(), anEmail(), 'x'.repeat(1_000_000))).status).to.equal(413);
    const email = anEmail();
    await register(world(), email, `${'x'.repeat(72)}one`);
    expect((await post('login', { email, password: `${'x'.repeat(72)}two` })).status).to.equal(401);
    expect((await post('login', { email, password: 'x'.repeat(90_000) })).status).to.equal(401);
    await login(world(), email, `${'x'.repeat(72)}one`);
  });

  it('A24: passwords may have any Unicode characters and are compared in normal form', async () => {
    const email = anEmail();
    await register(world(), email, '  nul\0 💣 cafe\u0301  ');
    await login(world(), email, '  nul\0 💣 caf\u00e9  ');
    for (const wrong of ['  nul\0', 'nul\0 💣 caf\u00e9', '  nul 💣 caf\u00e9  ', '  nul\0 💣 cafe  ']) {
      expect((await post('login', { email, password: wrong })).status, JSON.stringify(wrong)).to.equal(401);
    }
    const lone = await post('register', `{"email":"${anEmail()}","password":"lone \\ud800 surrogate"}`);
    expect(await refusal(lone)).to.include({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('A25: registration refuses the most common passwords', async () => {
    const email = anEmail();
    for (const password of [
      'password',
      'Password',
      '12345678',
      'qwertyuiop',
      'palimpsest',
      email,
      email.toUpperCase(),
    ]) {
      const { status, code, message } = await refusal(await register(world(), email, password));
      expect([status, code], password).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect(message).to.match(/^password: /);
    }
  });

  it('A26: login and register refuse addresses and passwords that are not strings', async () => {
    for (const value of [{ $ne: '' }, { $gt: '' }, [], ['x'], 1, true, null]) {
      for (const path of ['login', 'register']) {
        expect(await refusal(await post(path, { email: value, password: PASSWORD }))).to.include({
          status: 400,
          code: 'VALIDATION_ERROR',
        });
        expect(await refusal(await post(path, { email: anEmail(), password: value }))).to.include({
          status: 400,
          code: 'VALIDATION_ERROR',
        });
      }
    }
  });

  it('A30: only the token from the e-mail verifies an address, once', async () => {
    const [owner, other] = [await aUser(world()), await aUser(world())];
    const token = tokenIn(await newestMail(world(), owner.email, 'Verify'));
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
      refused.push(await seen(await post('verify-email', { token: wrong })));
      refused.push(await seen(await post('reset-password', { token: wrong, password: 'a wholly new password' })));
    }
    refused.push(await seen(await post('reset-password', { token, password: 'a wholly new password' })));
    expect((await me(owner.access_token)).user['email_verified']).to.equal(false);
    const verified = await post('verify-email', { token });
    expect([verified.status, Object.keys((await verified.json()) as object)]).to.deep.equal([200, ['message']]);
    expect((await me(owner.access_token)).user['email_verified']).to.equal(true);
    expect((await me(other.access_token)).user['email_verified']).to.equal(false);
    refused.push(await seen(await post('verify-email', { token })));
    same(refused);
    expect(JSON.parse(refused[0] ?? '')[0]).to.equal(400);
    expect(refused[0]).to.include('INVALID_OR_EXPIRED_TOKEN');
    await login(world(), owner.email);
  });

  it('A30: a verification token expires after 24 hours and a reset token after 1 hour', async () => {
    const owner = await aUser(world());
    const verifying = tokenIn(await newestMail(world(), owner.email, 'Verify'));
    await post('forgot-password', { email: owner.email });
    const resetting = tokenIn(await newestMail(world(), owner.email, 'Reset'));
    world().advance(3_600_001);
    expect((await post('reset-password', { token: resetting, password: 'a wholly new password' })).status).to.equal(
      400,
    );
    world().advance(23 * 3_600_000);
    expect((await post('verify-email', { token: verifying })).status).to.equal(400);
  });

  it('A31: only the newest reset token is valid, and a refused password does not use it up', async () => {
    const { email } = await aUser(world());
    await post('forgot-password', { email });
    const older = tokenIn(await newestMail(world(), email, 'Reset'));
    world().advance(61_000);
    await post('forgot-password', { email });
    const newer = tokenIn(await newestMail(world(), email, 'Reset'));
    expect(newer).not.to.equal(older);
    expect(await refusal(await post('reset-password', { token: older, password: 'a wholly new password' }))).to.include(
      { status: 400, code: 'INVALID_OR_EXPIRED_TOKEN' },
    );
    expect(await refusal(await post('reset-password', { token: newer, password: 'short' }))).to.include({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
    expect((await post('reset-password', { token: newer, password: 'a wholly new password' })).status).to.equal(200);
    await login(world(), email, 'a wholly new password');
    await newestMail(world(), email, 'Your password was changed');
  });

  it('A32: of 100 concurrent requests with one reset token exactly one succeeds', async () => {
    const { email } = await aUser(world());
    await post('forgot-password', { email });
    const token = tokenIn(await newestMail(world(), email, 'Reset'));
    const passwords = Array.from({ length: 100 }, (_, i) => `parallel password ${i}`);
    const answers = await Promise.all(passwords.map((password) => post('reset-password', { token, password })));
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).to.have.length(1);
    expect(answers.every(({ status }) => [200, 400, 503].includes(status))).to.equal(true);
    const won = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    await login(world(), email, won);
  });

  it('A33: links in e-mails use PUBLIC_URL, whatever the headers of the request claim', async () => {
    const { email } = await aUser(world());
    const headers = {
      'x-forwarded-host': 'evil.example.net',
      forwarded: 'host=evil.example.net',
      'x-forwarded-proto': 'gopher',
      referer: 'https://evil.example.net',
    };
    await post('forgot-password', { email }, { headers });
    const mail = await newestMail(world(), email, 'Reset');
    expect(mail.text).to.include(`${ISSUER}/reset-password?token=`);
    expect(mail.text + mail.html).not.to.include('evil');
    const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(links.every((href) => href?.startsWith(`${ISSUER}/`))).to.equal(true);
  });

  it('A34: opening the verification link does not verify the address', async () => {
    const owner = await aUser(world());
    const mail = await newestMail(world(), owner.email, 'Verify');
    const token = tokenIn(mail);
    for (const method of ['HEAD', 'GET', 'GET']) {
      const page = await world().send(`/verify-email?token=${token}`, undefined, { method });
      expect(page.status).to.equal(200);
      expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(page.headers.get('cache-control')).to.equal('no-store');
      expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
      expect(page.headers.get('content-security-policy')).to.match(/default-src 'none'; script-src 'nonce-/);
      expect(await page.text()).not.to.include(token);
    }
    expect((await me(owner.access_token)).user['email_verified']).to.equal(false);
    expect((await post('verify-email', { token })).status).to.equal(200);
  });

  it('each link in an e-mail leads to a page with its own nonce', async () => {
    const { email } = await aUser(world());
    await register(world(), email);
    const mail = await newestMail(world(), email, 'already have an account');
    const link = /href="([^"]*)"/.exec(mail.html)?.[1] ?? '';
    expect(link).to.equal(`${ISSUER}/forgot-password`);
    for (const [path, endpoint, field] of [
      ['/forgot-password', 'v1/auth/forgot-password', 'email'],
      ['/reset-password?token=x', 'v1/auth/reset-password', 'password'],
      ['/verify-email?token=x', 'v1/auth/verify-email', undefined],
    ] as const) {
      const page = await world().send(path, undefined, { method: 'GET' });
      const html = await page.text();
      expect([page.status, page.headers.get('content-type')], path).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(html).to.include(`fetch('${endpoint}'`);
      expect(/<input name="([a-z]+)"/.exec(html)?.[1]).to.equal(field);
      // The nonce allows only the script and the style of the page.
      const nonce = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1];
      expect(html.match(/nonce="[^"]+"/g)).to.deep.equal([`nonce="${nonce}"`, `nonce="${nonce}"`]);
    }
  });

  it('A35: an account can use the API before its address is verified', async () => {
    const { access_token: token } = await aUser(world());
    expect((await world().send('/v1/documents', undefined, { method: 'GET', token })).status).to.equal(200);
  });

  it('A36: a password reset revokes all earlier refresh tokens', async () => {
    const owner = await aUser(world());
    await post('forgot-password', { email: owner.email });
    const token = tokenIn(await newestMail(world(), owner.email, 'Reset'));
    const { refresh_token: meanwhile } = await login(world(), owner.email);
    await post('reset-password', { token, password: 'a wholly new password' });
    for (const refreshToken of [owner.refresh_token, meanwhile]) {
      expect((await post('refresh', { refresh_token: refreshToken })).status).to.equal(401);
    }
  });

  it('a changed password ends all other sessions', async () => {
    const owner = await aUser(world());
    const other = await login(world(), owner.email);
    const change = (body: unknown) => post('change-password', body, { token: owner.access_token });
    expect(
      await refusal(await change({ current_password: 'not the password', password: 'a wholly new password' })),
    ).to.include({ status: 401, code: 'INVALID_CREDENTIALS' });
    expect(await refusal(await change({ current_password: PASSWORD, password: 'short' }))).to.include({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
    expect(await refusal(await change({ password: 'a wholly new password' }))).to.include({
      status: 400,
      code: 'VALIDATION_ERROR',
    });
    const changed = await change({ current_password: PASSWORD, password: 'a wholly new password' });
    expect([changed.status, Object.keys((await changed.json()) as object)]).to.deep.equal([200, ['message']]);
    expect((await me(owner.access_token)).user['email']).to.equal(owner.email);
    expect((await post('refresh', { refresh_token: owner.refresh_token })).status).to.equal(200);
    expect((await post('refresh', { refresh_token: other.refresh_token })).status).to.equal(401);
    await login(world(), owner.email, 'a wholly new password');
    await newestMail(world(), owner.email, 'Your password was changed');
  });

  it('an account is not deleted without its password', async () => {
    const owner = await aUser(world());
    const remove = (body: unknown) =>
      world().send('/v1/auth/me', body, { method: 'DELETE', token: owner.access_token });
    expect(await refusal(await remove({ password: 'not the password' }))).to.include({
      status: 401,
      code: 'INVALID_CREDENTIALS',
    });
    expect(await refusal(await remove(undefined))).to.include({ status: 400, code: 'VALIDATION_ERROR' });
    expect((await me(owner.access_token)).user['email']).to.equal(owner.email);
  });
});

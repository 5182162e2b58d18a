import { expect } from 'chai';
import { anEmail, describeWithService, login, register, type Sending } from '../timed-service.ts';
import { PASSWORD, refusal } from '../service.ts';

describeWithService('addresses and passwords', (service) => {
  const post = (path: string, body: unknown, sending?: Sending): Promise<Response> =>
    service().send(`/v1/auth/${path}`, body, sending);

  it('spellings of one address that differ in case and spaces belong to one account', async () => {
    const email = anEmail();
    for (const variant of [email, email.toUpperCase(), ` ${email}\t`, email.replace('example.org', 'EXAMPLE.org')]) {
      expect((await register(service(), variant, `password of ${variant.length} ${variant}`)).status).to.equal(202);
    }
    await login(service(), email.toUpperCase(), `password of ${email.length} ${email}`);
    expect(
      (await post('login', { email, password: `password of ${email.length} ${email.toUpperCase()}` })).status,
    ).to.equal(401);
  });

  for (const email of [
    'ｕser@example.org',
    'user@exämple.org',
    'userı@example.org',
    '\u212Aelvin@example.org',
    'user\u200b@example.org',
    'user@example\u202e.org',
    '"a,b"@example.org',
    'a@example.org,b@example.net',
    'a@example.org\r\nBcc: b@example.net',
    'g:a@example.org;',
    'a(comment)@example.org',
    'a@example.org(comment)',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@localhost',
    `${'x'.repeat(65)}@example.org`,
    `a@${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(66)}.org`,
    'a@example..org',
    '.a@example.org',
    'a..b@example.org',
    'a@-example.org',
    '<a@example.org>',
    'Ada <a@example.org>',
    'a@example.org\0',
    '',
  ] as const) {
    it(`register and forgot-password refuse the address ${JSON.stringify(email.slice(0, 40))}`, async () => {
      for (const path of ['register', 'forgot-password']) {
        const { status, code, message } = await refusal(await post(path, { email, password: PASSWORD }));
        expect([status, code]).to.deep.equal([400, 'VALIDATION_ERROR']);
        expect(message).to.include('email');
      }
      expect((await post('login', { email, password: PASSWORD })).status).to.equal(401);
    });
  }

  it('an address with a punycode domain can register and sign in', async () => {
    expect((await register(service(), 'user@xn--exmple-cua.org')).status).to.equal(202);
    await login(service(), 'user@XN--exmple-cua.org');
  });

  it('passwords may have 8 to 256 characters, and every character counts', async () => {
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
      expect((await register(service(), anEmail(), 'ü'.repeat(length))).status, String(length)).to.equal(status);
    }
    expect((await register(service(), anEmail(), 'x'.repeat(1_000_000))).status).to.equal(413);
    const email = anEmail();
    await register(service(), email, `${'x'.repeat(72)}one`);
    expect((await post('login', { email, password: `${'x'.repeat(72)}two` })).status).to.equal(401);
    expect((await post('login', { email, password: 'x'.repeat(90_000) })).status).to.equal(401);
    await login(service(), email, `${'x'.repeat(72)}one`);
  });

  it('passwords may have any Unicode characters and are compared in Unicode normal form C', async () => {
    const email = anEmail();
    await register(service(), email, '  nul\0 💣 cafe\u0301  ');
    await login(service(), email, '  nul\0 💣 caf\u00e9  ');
    for (const wrong of ['  nul\0', 'nul\0 💣 caf\u00e9', '  nul 💣 caf\u00e9  ', '  nul\0 💣 cafe  ']) {
      expect((await post('login', { email, password: wrong })).status, JSON.stringify(wrong)).to.equal(401);
    }
    const lone = await post('register', `{"email":"${anEmail()}","password":"lone \\ud800 surrogate"}`);
    expect(await refusal(lone)).to.include({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('registration refuses the most common passwords', async () => {
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
      const { status, code, message } = await refusal(await register(service(), email, password));
      expect([status, code], password).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect(message).to.match(/^password: /);
    }
  });

  it('login and register refuse addresses and passwords that are not strings', async () => {
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
});

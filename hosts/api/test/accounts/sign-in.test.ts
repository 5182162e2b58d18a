import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import PostalMime from 'postal-mime';
import { aClient } from '../timed-service.ts';
import { PASSWORD, refusal, startService, type TestService } from '../service.ts';
import { eventually } from '../../../../test/expectations.ts';

describe('registration, sign-in and access over HTTP', () => {
  let service: TestService;

  before(async () => {
    service = await startService({ worker: true });
  });
  after(() => service.close());

  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': aClient() },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  const list = (authorization?: string): Promise<Response> =>
    fetch(`${service.url}/v1/documents`, authorization === undefined ? {} : { headers: { authorization } });

  it('registers an account that can sign in at once', async () => {
    const credentials = { email: 'Ada@Example.org', password: PASSWORD };
    const registered = await post('/v1/auth/register', credentials);
    expect(registered.status).to.equal(202);
    expect(await registered.json()).to.deep.equal({ message: 'Check your email to verify your account.' });
    const signedIn = await post('/v1/auth/login', { ...credentials, email: ' ada@EXAMPLE.org ' });
    const body = (await signedIn.json()) as Record<string, unknown>;
    expect(signedIn.status).to.equal(200);
    expect(Object.keys(body)).to.have.members(['access_token', 'refresh_token', 'token_type', 'expires_in']);
    expect(body).to.include({ token_type: 'Bearer', expires_in: 3600 });
    expect((await list(`Bearer ${String(body['access_token'])}`)).status).to.equal(200);
  });

  it('gives the same response for a taken address as for a free one and keeps the existing password', async () => {
    const email = 'taken@example.org';
    const first = await post('/v1/auth/register', { email, password: PASSWORD });
    const second = await post('/v1/auth/register', { email: 'TAKEN@example.org', password: 'another password' });
    expect([second.status, await second.text()]).to.deep.equal([first.status, await first.text()]);
    expect((await post('/v1/auth/login', { email, password: PASSWORD })).status).to.equal(200);
    expect((await post('/v1/auth/login', { email, password: 'another password' })).status).to.equal(401);
  });

  it('gives the same response for a wrong password, an unknown address and a malformed address', async () => {
    await post('/v1/auth/register', { email: 'known@example.org', password: PASSWORD });
    const answers = [];
    for (const email of ['known@example.org', 'unknown@example.org', 'no address']) {
      const response = await post('/v1/auth/login', { email, password: 'wrong password' });
      answers.push([response.status, await response.text()]);
    }
    expect(new Set(answers.map(String)).size).to.equal(1);
    expect(answers[0]?.[0]).to.equal(401);
    expect(answers[0]?.[1]).to.include('INVALID_CREDENTIALS');
  });

  for (const [name, body, field] of [
    ['an empty body', '', 'email'],
    ['null', 'null', 'body'],
    ['an array', '[]', 'body'],
    ['a text', '"x"', 'body'],
    ['no email', { password: PASSWORD }, 'email'],
    ['an operator for an email', { email: { $ne: '' }, password: { $gt: '' } }, 'email'],
    ['a number for a password', { email: 'a@example.org', password: 12345678 }, 'password'],
    ['a short password', { email: 'a@example.org', password: '1234567' }, 'password'],
    ['a password of 257 characters', { email: 'a@example.org', password: 'x'.repeat(257) }, 'password'],
    ['two recipients', { email: 'a@example.org,b@example.org', password: PASSWORD }, 'email'],
    ['a quoted local part', { email: '"a,b"@example.org', password: PASSWORD }, 'email'],
    ['a header in the address', { email: 'a@example.org\r\nBcc: b@example.org', password: PASSWORD }, 'email'],
  ] as const) {
    it(`refuses a registration with ${name} and names the field`, async () => {
      const { status, code, message } = await refusal(await post('/v1/auth/register', body));
      expect([status, code]).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect(message).to.include(field);
    });
  }

  it('distinguishes two passwords that share their first 72 bytes', async () => {
    const email = 'long@example.org';
    await post('/v1/auth/register', { email, password: `${'x'.repeat(72)}right` });
    expect((await post('/v1/auth/login', { email, password: `${'x'.repeat(72)}wrong` })).status).to.equal(401);
    expect((await post('/v1/auth/login', { email, password: `${'x'.repeat(72)}right` })).status).to.equal(200);
  });

  it('answers 401 with a challenge when the request has no bearer token', async () => {
    for (const authorization of [undefined, '', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'Bearer a b']) {
      const response = await list(authorization);
      expect(response.headers.get('www-authenticate')).to.equal('Bearer');
      expect(await refusal(response), String(authorization)).to.include({
        status: 401,
        code: 'AUTHENTICATION_REQUIRED',
      });
    }
    expect((await fetch(`${service.url}/v1/documents?access_token=x`)).status).to.equal(401);
  });

  it('accepts the scheme Bearer in upper and lower case', async () => {
    const { token } = await service.signUp();
    expect((await list(`bearer ${token}`)).status).to.equal(200);
    expect((await list(`BEARER  ${token}`)).status).to.equal(200);
  });

  it('refuses forged tokens, malformed tokens, and tokens of an ended session', async () => {
    const { token } = await service.signUp();
    const { sub, sid } = jwt.decode(token) as { sub: string; sid: string };
    const [header, payload, signature] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const tokens = [
      'x',
      `${token}=`,
      `${token}.${signature}`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.`,
      jwt.sign({ sub, sid }, 'x'.repeat(32), { expiresIn: 60 }),
      'x'.repeat(8000),
    ];
    for (const forged of tokens) {
      const response = await list(`Bearer ${forged}`);
      expect(response.headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
      expect(await refusal(response)).to.include({ status: 401, code: 'INVALID_TOKEN' });
    }
    await service.composition.ports.sessions.remove(sid);
    expect(await refusal(await list(`Bearer ${token}`))).to.include({ status: 401, code: 'INVALID_TOKEN' });
  });

  it('stores no password and no token in plain text, except in the e-mail with the token', async () => {
    const password = 'canary-password-4711';
    const email = 'canary@example.org';
    await post('/v1/auth/register', { email, password });
    const tokens = (await (await post('/v1/auth/login', { email, password })).json()) as { refresh_token: string };
    const next = (await (await post('/v1/auth/refresh', { refresh_token: tokens.refresh_token })).json()) as {
      refresh_token: string;
    };
    await post('/v1/auth/forgot-password', { email });
    const mailed = await eventually(async () => {
      const found = [];
      for (const name of await readdir(service.composition.config.mail.outboxFolder)) {
        if (!name.endsWith('.eml')) continue; // a file that is still being written
        const mail = await PostalMime.parse(await readFile(join(service.composition.config.mail.outboxFolder, name)));
        const token = /token=([A-Za-z0-9_-]{43})/.exec(mail.text ?? '')?.[1];
        if (token !== undefined && mail.to?.[0]?.address === email) found.push(token);
      }
      return found.length === 2 ? found : undefined;
    });
    for (const entry of await readdir(service.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.endsWith('.eml')) continue;
      const content = await readFile(join(entry.parentPath, entry.name));
      expect(content.includes(password), entry.name).to.equal(false);
      for (const token of [tokens.refresh_token, next.refresh_token, ...mailed])
        expect(content.includes(token), entry.name).to.equal(false);
    }
  });
});

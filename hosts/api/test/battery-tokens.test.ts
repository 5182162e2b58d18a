import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import jwt, { type SignOptions } from 'jsonwebtoken';
import {
  aUser,
  describeWithWorld,
  ISSUER,
  JWT_SECRET,
  login,
  newestMail,
  nowInSeconds,
  register,
  tokenIn,
  type Tokens,
} from './auth-world.ts';
import { PASSWORD, refusal } from './service.ts';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describeWithWorld('access and refresh tokens', (world) => {
  let user: Tokens & { email: string };
  let claims: Record<string, unknown>;

  before(async () => {
    user = await aUser(world());
    claims = jwt.decode(user.access_token) as Record<string, unknown>;
  });

  const me = (token: string): Promise<Response> => world().send('/v1/auth/me', undefined, { method: 'GET', token });
  const refresh = (token: unknown): Promise<Response> => world().send('/v1/auth/refresh', { refresh_token: token });
  const statuses = async (answers: readonly Promise<Response>[]): Promise<number[]> =>
    (await Promise.all(answers)).map(({ status }) => status);

  const signed = (change: Record<string, unknown> = {}, options: SignOptions = {}, secret = JWT_SECRET): string => {
    // As a string, so that the library does not change the payload. Undefined claims are omitted.
    const payload = JSON.stringify({ ...claims, ...change });
    return jwt.sign(payload, secret, { algorithm: 'HS256', header: { alg: 'HS256', typ: 'at+jwt' }, ...options });
  };

  const expectInvalid = async (token: string, code = 'INVALID_TOKEN'): Promise<void> => {
    const response = await me(token);
    expect(response.headers.get('www-authenticate'), token.slice(0, 200)).to.match(/^Bearer/);
    expect(await refusal(response), token.slice(0, 200)).to.include({ status: 401, code });
  };

  it('an unchanged token is accepted (control)', async () => {
    expect((await me(user.access_token)).status).to.equal(200);
    expect((await me(signed())).status).to.equal(200);
  });

  it('T1: a token without a signature is refused, in every spelling of the algorithm none', async () => {
    const [, payload = '', signature = ''] = user.access_token.split('.');
    for (const alg of ['none', 'None', 'nOnE', 'NONE', '', null]) {
      for (const end of ['', signature]) await expectInvalid(`${base64url({ alg, typ: 'at+jwt' })}.${payload}.${end}`);
    }
  });

  it('T2: a token that is signed with another key, an empty key or a well-known key is refused', async () => {
    await expectInvalid(signed({}, {}, randomBytes(32).toString('hex')));
    const [header = '', payload = ''] = user.access_token.split('.');
    await expectInvalid(`${header}.${payload}.`);
    for (const shown of ['secret', 'your-256-bit-secret', 'change me to something long and random'])
      await expectInvalid(signed({}, {}, shown));
  });

  it('T3: a token with another algorithm is refused, even if it is signed with the right secret', async () => {
    for (const algorithm of ['HS384', 'HS512'] as const)
      await expectInvalid(signed({}, { algorithm, header: { alg: algorithm, typ: 'at+jwt' } }));
  });

  it('T4: a token that contains or names its own key is refused, and the service fetches nothing', async () => {
    let fetched = 0;
    const server = createServer((_req, res) => {
      fetched++;
      res.end('{"keys":[]}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const headers = [
      { jku: url },
      { x5u: url },
      { kid: '../../dev/null' },
      { kid: url },
      { x5c: ['AAAA'] },
      { jwk: rsa.publicKey.export({ format: 'jwk' }) },
    ];
    for (const extra of headers) {
      for (const [algorithm, { privateKey }] of [
        ['RS256', rsa],
        ['ES256', ec],
      ] as const) {
        await expectInvalid(
          jwt.sign(JSON.stringify(claims), privateKey, {
            algorithm,
            header: { alg: algorithm, typ: 'at+jwt', ...extra },
          }),
        );
      }
    }
    server.close();
    expect(fetched).to.equal(0);
  });

  it('T5: a token is refused before its start and after its expiry', async () => {
    const now = nowInSeconds(world());
    for (const exp of [now - 1, now - 61]) await expectInvalid(signed({ exp, iat: now - 3600 }), 'TOKEN_EXPIRED');
    await expectInvalid(signed({ nbf: now + 120 }));
    await expectInvalid(signed({ iat: now + 3600, exp: now + 7200 }));
  });

  it('T6: a token without a valid expiry is refused', async () => {
    for (const exp of [undefined, String(claims['exp']), 1e308, -1, null, {}])
      expect((await me(signed({ exp }))).status, JSON.stringify(exp)).to.equal(401);
  });

  it('T7: access, refresh and mailed tokens are not interchangeable', async () => {
    const mailed = tokenIn(await newestMail(world(), user.email, 'Verify'));
    for (const token of [user.refresh_token, mailed]) await expectInvalid(token);
    for (const token of [user.access_token, mailed])
      expect(await refusal(await refresh(token))).to.include({ status: 401, code: 'INVALID_REFRESH_TOKEN' });
    for (const token of [user.access_token, user.refresh_token]) {
      expect(await refusal(await world().send('/v1/auth/verify-email', { token }))).to.include({
        status: 400,
        code: 'INVALID_OR_EXPIRED_TOKEN',
      });
    }
    await expectInvalid(signed({}, { header: { alg: 'HS256', typ: 'JWT' } }));
  });

  it('T8: a token with another issuer or audience is refused', async () => {
    for (const change of [
      { iss: 'https://evil.example.org' },
      { aud: 'another-api' },
      { iss: undefined },
      { aud: undefined },
      { iss: undefined, aud: undefined },
      { iss: `${ISSUER}/` },
    ]) {
      await expectInvalid(signed(change));
    }
  });

  it('T9: a token without a valid subject is refused', async () => {
    for (const sub of [
      undefined,
      1,
      { $ne: null },
      [],
      ['x'],
      '',
      'x',
      '0190a000-0000-7000-8000-000000000000',
      'x'.repeat(5000),
      null,
      true,
    ]) {
      await expectInvalid(signed({ sub }));
    }
  });

  it('T10: a token with one changed character is refused, and so is every other way to send a token', async () => {
    const { access_token: token } = user;
    for (let at = 0; at < token.length; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const response = await me(token.slice(0, at) + other + token.slice(at + 1));
      expect(response.status, `character ${at}`).to.equal(401);
    }
    for (const odd of [`${token}=`, `${token}.`, `${token}.${token.split('.')[2]}`, `.${token}`])
      await expectInvalid(odd);
    const path = '/v1/auth/me';
    const send = (authorization: string) =>
      world().send(path, undefined, { method: 'GET', headers: { authorization } });
    expect(await statuses([send(`bearer ${token}`), send(`BEARER ${token}`)])).to.deep.equal([200, 200]);
    expect(await statuses([send(`Bearer ${token} ${token}`), send(token), send(`Token ${token}`)])).to.deep.equal([
      401, 401, 401,
    ]);
    expect((await world().send(`${path}?access_token=${token}`, undefined, { method: 'GET' })).status).to.equal(401);
    const two = request(`${world().url}${path}`, {
      headers: ['Host', 'x', 'Authorization', 'Bearer x', 'Authorization', `Bearer ${token}`],
    }).end();
    const [answer] = (await once(two, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).to.be.oneOf([400, 401]);
  });

  it('T11: a huge or malformed token is refused', async () => {
    const big = await me('x'.repeat(20_000)).then((response) => response.status);
    expect(big).to.be.oneOf([401, 431]);
    for (const garbled of ['%00', '💣'.normalize(), 'é', '\u0001', '....', 'a.b.c', 'null', '{}']) {
      const socket = connect(Number(new URL(world().url).port), '127.0.0.1');
      socket.end(
        `GET /v1/auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${garbled}\r\n\r\n`,
      );
      const answer = Buffer.concat(await socket.toArray()).toString();
      expect(answer.split('\r\n')[0], garbled).to.match(/ (400|401) /);
    }
  });

  it('T12: logout revokes the tokens of one session, and with all: true those of every session', async () => {
    const [gone, kept] = [await login(world(), user.email), await login(world(), user.email)];
    const answer = await world().send('/v1/auth/logout', undefined, { token: gone.access_token });
    expect([answer.status, await answer.text()]).to.deep.equal([204, '']);
    await expectInvalid(gone.access_token);
    expect(await refusal(await refresh(gone.refresh_token))).to.include({ status: 401, code: 'INVALID_REFRESH_TOKEN' });
    expect((await me(kept.access_token)).status).to.equal(200);
    await world().send('/v1/auth/logout', { all: true }, { token: kept.access_token });
    for (const { access_token: token } of [kept, user]) await expectInvalid(token);
    expect((await refresh(kept.refresh_token)).status).to.equal(401);
    user = { ...user, ...(await login(world(), user.email)) };
  });

  it('T13: a password reset revokes the tokens of every session', async () => {
    const owner = await aUser(world());
    const sessions = [owner, await login(world(), owner.email), await login(world(), owner.email)];
    await world().send('/v1/auth/forgot-password', { email: owner.email });
    const token = tokenIn(await newestMail(world(), owner.email, 'Reset'));
    expect(
      (await world().send('/v1/auth/reset-password', { token, password: 'a wholly new password' })).status,
    ).to.equal(200);
    for (const session of sessions) {
      await expectInvalid(session.access_token);
      expect((await refresh(session.refresh_token)).status).to.equal(401);
    }
    expect((await world().send('/v1/auth/login', { email: owner.email, password: PASSWORD })).status).to.equal(401);
    await login(world(), owner.email, 'a wholly new password');
  });

  it('T14: after account deletion every route refuses the tokens of the account', async () => {
    const owner = await aUser(world());
    const second = await login(world(), owner.email);
    const answer = await world().send(
      '/v1/auth/me',
      { password: PASSWORD },
      { method: 'DELETE', token: owner.access_token },
    );
    expect([answer.status, await answer.text()]).to.deep.equal([204, '']);
    const id = '0190a000-0000-7000-8000-000000000000';
    for (const [method, path] of [
      ['GET', '/v1/auth/me'],
      ['POST', '/v1/auth/logout'],
      ['POST', '/v1/auth/change-password'],
      ['POST', '/v1/auth/resend-verification'],
      ['DELETE', '/v1/auth/me'],
      ['GET', '/v1/documents'],
      ['POST', '/v1/documents'],
      ['GET', `/v1/documents/${id}`],
      ['DELETE', `/v1/documents/${id}`],
      ['GET', `/v1/documents/${id}/download`],
      ['POST', `/v1/documents/${id}/email`],
      ['PUT', `/v1/documents/${id}/ocr`],
    ] as const) {
      for (const { access_token: token } of [owner, second]) {
        expect(await refusal(await world().send(path, undefined, { method, token })), `${method} ${path}`).to.include({
          status: 401,
          code: 'INVALID_TOKEN',
        });
      }
    }
    for (const { refresh_token: token } of [owner, second]) expect((await refresh(token)).status).to.equal(401);
    expect((await world().send('/v1/auth/login', { email: owner.email, password: PASSWORD })).status).to.equal(401);
    await register(world(), owner.email, 'another long password');
    const anew = await login(world(), owner.email, 'another long password');
    expect((await me(anew.access_token)).status).to.equal(200);
  });

  it('T15: a token is refused as soon as its session is removed from the database', async () => {
    const { access_token: token } = await login(world(), user.email);
    expect((await me(token)).status).to.equal(200);
    await world().composition.ports.sessions.remove((jwt.decode(token) as { sid: string }).sid);
    await expectInvalid(token);
  });

  it('T16, T17: a refresh token works once, and its reuse ends only its own session', async () => {
    const [session, other] = [await login(world(), user.email), await login(world(), user.email)];
    const first = await refresh(session.refresh_token);
    expect(first.status).to.equal(200);
    const next = (await first.json()) as Tokens & Record<string, unknown>;
    expect(Object.keys(next)).to.deep.equal(['access_token', 'refresh_token', 'token_type', 'expires_in']);
    expect(next).to.include({ token_type: 'Bearer', expires_in: 3600 });
    expect(next.refresh_token).not.to.equal(session.refresh_token);
    expect((await me(next.access_token)).status).to.equal(200);
    world().advance(10_001);
    expect(await refusal(await refresh(session.refresh_token))).to.include({
      status: 401,
      code: 'INVALID_REFRESH_TOKEN',
    });
    expect((await refresh(next.refresh_token)).status, 'the newest of the same session').to.equal(401);
    await expectInvalid(next.access_token);
    expect((await refresh(other.refresh_token)).status, 'another session').to.equal(200);
  });

  it('T18: 50 concurrent refreshes return the same new token', async () => {
    const session = await login(world(), user.email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(session.refresh_token)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    const tokens = (await Promise.all(answers.map((answer) => answer.json()))) as Tokens[];
    const inForce = new Set(tokens.map(({ refresh_token: token }) => token));
    expect(inForce.size, 'refresh tokens in force').to.equal(1);
    const families = new Set(tokens.map(({ access_token: token }) => (jwt.decode(token) as { sid: string }).sid));
    expect(families.size, 'live families').to.equal(1);
    const [token = ''] = inForce;
    expect((await refresh(token)).status).to.equal(200);
  });

  it('T19: a repeated refresh within 10 s returns the same new token', async () => {
    const session = await login(world(), user.email);
    const lost = (await (await refresh(session.refresh_token)).json()) as Tokens;
    world().advance(9_000);
    const again = (await (await refresh(session.refresh_token)).json()) as Tokens;
    expect(again.refresh_token).to.equal(lost.refresh_token);
    expect((await me(again.access_token)).status).to.equal(200);
    expect((await refresh(again.refresh_token)).status).to.equal(200);
  });

  it('an access token expires after 1 hour and an unused refresh token after 30 days', async () => {
    const owner = await aUser(world());
    world().advance(3_600_000);
    await expectInvalid(owner.access_token, 'TOKEN_EXPIRED');
    const next = (await (await refresh(owner.refresh_token)).json()) as Tokens;
    world().advance(30 * 24 * 3_600_000 - 60_000);
    const later = await refresh(next.refresh_token);
    expect(later.status).to.equal(200);
    world().advance(30 * 24 * 3_600_000);
    const { refresh_token: old } = (await later.json()) as Tokens;
    expect(await refusal(await refresh(old))).to.include({ status: 401, code: 'INVALID_REFRESH_TOKEN' });
  });

  for (const [name, body] of [
    ['nothing', undefined],
    ['null', 'null'],
    ['a number', { refresh_token: 1 }],
    ['an operator', { refresh_token: { $ne: '' } }],
    ['an empty text', { refresh_token: '' }],
  ] as const) {
    it(`a refresh with ${name} as the body is refused`, async () => {
      expect(await refusal(await world().send('/v1/auth/refresh', body))).to.include({
        status: 400,
        code: 'VALIDATION_ERROR',
      });
    });
  }

  it('T20: 10,000 secret tokens are all different', () => {
    const { secretTokens } = world().composition.ports;
    const secrets = Array.from({ length: 5000 }, (_, i) => [
      secretTokens.next(),
      secretTokens.derive(`seed ${i}`),
    ]).flat();
    expect(new Set(secrets).size).to.equal(10_000);
    expect(secretTokens.digest('x')).to.equal(createHash('sha256').update('x').digest('hex'));
  });
});

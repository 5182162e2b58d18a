import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import jwt, { type SignOptions } from 'jsonwebtoken';
import {
  aUser,
  describeWithService,
  ISSUER,
  JWT_SECRET,
  newestMail,
  nowInSeconds,
  tokenIn,
  type Tokens,
} from '../timed-service.ts';
import { refusal } from '../service.ts';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describeWithService('access tokens', (service) => {
  let user: Tokens & { email: string };
  let claims: Record<string, unknown>;

  before(async () => {
    user = await aUser(service());
    claims = jwt.decode(user.access_token) as Record<string, unknown>;
  });

  const me = (token: string): Promise<Response> => service().send('/v1/auth/me', undefined, { method: 'GET', token });
  const refresh = (token: unknown): Promise<Response> => service().send('/v1/auth/refresh', { refresh_token: token });
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

  it('an unchanged token, and the same token signed by this test, are accepted', async () => {
    expect((await me(user.access_token)).status).to.equal(200);
    expect((await me(signed())).status).to.equal(200);
  });

  it('a token without a signature is refused, in every spelling of the algorithm none', async () => {
    const [, payload = '', signature = ''] = user.access_token.split('.');
    for (const alg of ['none', 'None', 'nOnE', 'NONE', '', null]) {
      for (const end of ['', signature]) await expectInvalid(`${base64url({ alg, typ: 'at+jwt' })}.${payload}.${end}`);
    }
  });

  it('a token that is signed with another key, an empty key or a well-known key is refused', async () => {
    await expectInvalid(signed({}, {}, randomBytes(32).toString('hex')));
    const [header = '', payload = ''] = user.access_token.split('.');
    await expectInvalid(`${header}.${payload}.`);
    for (const known of ['secret', 'your-256-bit-secret', 'change me to something long and random'])
      await expectInvalid(signed({}, {}, known));
  });

  it('a token with another algorithm is refused, even if it is signed with the right secret', async () => {
    for (const algorithm of ['HS384', 'HS512'] as const)
      await expectInvalid(signed({}, { algorithm, header: { alg: algorithm, typ: 'at+jwt' } }));
  });

  it('a token that contains or names its own key is refused, and the service fetches nothing', async () => {
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

  it('a token that is not valid yet or has expired is refused', async () => {
    const now = nowInSeconds(service());
    for (const exp of [now - 1, now - 61]) await expectInvalid(signed({ exp, iat: now - 3600 }), 'TOKEN_EXPIRED');
    await expectInvalid(signed({ nbf: now + 120 }));
    await expectInvalid(signed({ iat: now + 3600, exp: now + 7200 }));
  });

  it('a token without a valid expiry is refused', async () => {
    for (const exp of [undefined, String(claims['exp']), 1e308, -1, null, {}])
      expect((await me(signed({ exp }))).status, JSON.stringify(exp)).to.equal(401);
  });

  it('access, refresh and mailed tokens are not interchangeable', async () => {
    const mailed = tokenIn(await newestMail(service(), user.email, 'Verify'));
    for (const token of [user.refresh_token, mailed]) await expectInvalid(token);
    for (const token of [user.access_token, mailed])
      expect(await refusal(await refresh(token))).to.include({ status: 401, code: 'INVALID_REFRESH_TOKEN' });
    for (const token of [user.access_token, user.refresh_token]) {
      expect(await refusal(await service().send('/v1/auth/verify-email', { token }))).to.include({
        status: 400,
        code: 'INVALID_OR_EXPIRED_TOKEN',
      });
    }
    await expectInvalid(signed({}, { header: { alg: 'HS256', typ: 'JWT' } }));
  });

  it('a token with another issuer or audience is refused', async () => {
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

  it('a token without a valid subject is refused', async () => {
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

  it('a token with one changed character is refused, and so is a token that is not sent as one bearer token', async () => {
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
      service().send(path, undefined, { method: 'GET', headers: { authorization } });
    expect(await statuses([send(`bearer ${token}`), send(`BEARER ${token}`)])).to.deep.equal([200, 200]);
    expect(await statuses([send(`Bearer ${token} ${token}`), send(token), send(`Token ${token}`)])).to.deep.equal([
      401, 401, 401,
    ]);
    expect((await service().send(`${path}?access_token=${token}`, undefined, { method: 'GET' })).status).to.equal(401);
    const two = request(`${service().url}${path}`, {
      headers: ['Host', 'x', 'Authorization', 'Bearer x', 'Authorization', `Bearer ${token}`],
    }).end();
    const [response] = (await once(two, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).to.be.oneOf([400, 401]);
  });

  it('a huge or malformed token is refused', async () => {
    const big = await me('x'.repeat(20_000)).then((response) => response.status);
    expect(big).to.be.oneOf([401, 431]);
    for (const garbled of ['%00', '💣'.normalize(), 'é', '\u0001', '....', 'a.b.c', 'null', '{}']) {
      const socket = connect(Number(new URL(service().url).port), '127.0.0.1');
      socket.end(
        `GET /v1/auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${garbled}\r\n\r\n`,
      );
      const answer = Buffer.concat(await socket.toArray()).toString();
      expect(answer.split('\r\n')[0], garbled).to.match(/ (400|401) /);
    }
  });
});

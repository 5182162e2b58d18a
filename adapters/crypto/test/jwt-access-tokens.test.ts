import { randomBytes } from 'node:crypto';
import { isAppError, plusMs } from '@palimpsest/core';
import { JwtAccessTokens } from '@palimpsest/crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';

const SECRET = randomBytes(32);
const NOW = 1_795_253_412_000_000;
const SECOND = 1_795_253_412;
const SUB = '01a1fc10-1827-7434-a61f-18a1a6281dd1';
const SID = '01a1fc10-1827-7434-a61f-18a1a6281dd2';

const tokens = new JwtAccessTokens({ secret: SECRET, issuer: 'palimpsest', audience: 'api' });
const payload = { iss: 'palimpsest', aud: 'api', sub: SUB, sid: SID, iat: SECOND, exp: SECOND + 60 };

/** A token signed with the right secret. Only the given claims and header fields differ from a valid token. */
const token = (changes: object = {}, header: object = {}, key: jwt.Secret = SECRET): string => {
  const { alg = 'HS256', ...rest } = header as { alg?: jwt.Algorithm };
  return jwt.sign(JSON.stringify({ ...payload, ...changes }), key, {
    algorithm: alg,
    header: { alg, typ: 'at+jwt', ...rest },
  });
};

const textOf = (fields: object): string =>
  JSON.stringify(fields, (_, value: unknown) => (value === undefined ? 'missing' : value));

const verdict = (text: string, now = NOW): string => {
  try {
    tokens.verify(text, now);
    return 'accepted';
  } catch (error) {
    return isAppError(error) ? error.code : `threw ${String(error)}`;
  }
};

describe('JwtAccessTokens', () => {
  it('accepts the valid token from which the other tests derive theirs', () => {
    expect(tokens.verify(token(), NOW)).to.deep.equal({ accountId: SUB, sessionId: SID });
  });

  for (const alg of ['HS384', 'HS512', 'none'] as const) {
    it(`rejects the algorithm ${alg} with the right secret`, () => {
      expect(verdict(token({}, { alg }, alg === 'none' ? '' : SECRET))).to.equal('INVALID_TOKEN');
    });
  }

  const headers = [
    { typ: 'JWT' },
    { typ: undefined },
    { typ: 'AT+JWT' },
    { typ: 'refresh' },
    { kid: '../../dev/null' },
    { crit: ['exp'] },
    { jku: 'http://127.0.0.1:1/' },
    { x5u: 'http://127.0.0.1:1/' },
    { jwk: { kty: 'oct', k: 'AAAA' } },
    { x5c: ['AAAA'] },
    { b64: false },
  ];
  for (const header of headers) {
    it(`rejects the header ${textOf(header)} with the right secret`, () => {
      expect(verdict(token({}, header))).to.equal('INVALID_TOKEN');
    });
  }

  const claims: readonly object[] = [
    { exp: undefined },
    { exp: null },
    { exp: String(SECOND + 60) },
    { exp: SECOND + 60.5 },
    { exp: 1e308 },
    { exp: -1 },
    { exp: [] },
    { exp: {} },
    { exp: true },
    { iat: undefined },
    { iat: 'now' },
    { iat: SECOND + 1 },
    { iat: SECOND + 3600 },
    { iat: -1 },
    { nbf: SECOND + 120 },
    { nbf: 'x' },
    { iss: 'other' },
    { iss: undefined },
    { iss: ['palimpsest'] },
    { aud: 'other' },
    { aud: undefined },
    { aud: ['api'] },
    { aud: 'API' },
    { iss: undefined, aud: undefined },
    { sub: undefined },
    { sub: null },
    { sub: 1 },
    { sub: { $ne: null } },
    { sub: [SUB] },
    { sub: '' },
    { sub: 'x'.repeat(1_000_000) },
    { sub: `${SUB}x` },
    { sub: ` ${SUB}` },
    { sid: undefined },
    { sid: 1 },
    { sid: { $gt: '' } },
    { sid: [SID] },
    { sid: 'not a uuid' },
  ];
  for (const change of claims) {
    it(`rejects ${textOf(change).slice(0, 60)} with the right secret, expired or not`, () => {
      expect(verdict(token(change))).to.equal('INVALID_TOKEN');
      if (!('exp' in change || 'iat' in change || 'nbf' in change))
        expect(verdict(token(change), plusMs(NOW, 61_000))).to.equal('INVALID_TOKEN');
    });
  }

  it('rejects payloads that are not objects', () => {
    for (const text of ['null', '[]', '1', '"x"', 'x', '{', '']) {
      const forged = jwt.sign(text, SECRET, { algorithm: 'HS256', header: { alg: 'HS256', typ: 'at+jwt' } });
      expect(verdict(forged), text).to.equal('INVALID_TOKEN');
    }
  });

  it('rejects tokens with other secrets, also expired ones', () => {
    for (const key of ['secret', randomBytes(32), SECRET.subarray(1), Buffer.concat([SECRET, Buffer.from('x')])]) {
      expect(verdict(token({}, {}, key))).to.equal('INVALID_TOKEN');
      expect(verdict(token({ exp: SECOND - 1 }, {}, key))).to.equal('INVALID_TOKEN');
    }
  });

  it('throws TOKEN_EXPIRED from the second in which the token expires', () => {
    expect(verdict(token({ exp: SECOND }))).to.equal('TOKEN_EXPIRED');
    expect(verdict(token({ exp: SECOND - 61 }))).to.equal('TOKEN_EXPIRED');
    expect(verdict(token({ exp: SECOND + 1 }))).to.equal('accepted');
  });

  it('throws TypeError for a secret under 32 bytes, counted in UTF-8', () => {
    const withSecret = (secret: string | Uint8Array) => () =>
      new JwtAccessTokens({ secret, issuer: 'a', audience: 'b' });
    for (const secret of ['', 'secret', 'x'.repeat(31), randomBytes(31)])
      expect(withSecret(secret)).to.throw(TypeError);
    for (const secret of ['x'.repeat(32), 'é'.repeat(16), randomBytes(32)]) expect(withSecret(secret)).to.not.throw();
  });

  it('keeps its secret when the caller overwrites the given bytes', () => {
    const secret = randomBytes(32);
    const own = new JwtAccessTokens({ secret, issuer: 'a', audience: 'b' });
    const signed = own.sign({ accountId: SUB, sessionId: SID }, NOW, NOW + 60_000_000);
    secret.fill(0);
    expect(own.verify(signed, NOW)).to.deep.equal({ accountId: SUB, sessionId: SID });
  });

  it('throws TypeError for claims that verify would reject', () => {
    expect(() => tokens.sign({ accountId: 'x', sessionId: SID }, NOW, NOW)).to.throw(TypeError);
  });
});

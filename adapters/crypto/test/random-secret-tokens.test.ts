import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { JwtAccessTokens, RandomSecretTokens } from '@palimpsest/crypto';
import { expect } from 'chai';

describe('RandomSecretTokens', () => {
  it('refuses a key of less than 32 bytes', () => {
    for (const length of [0, 1, 31])
      expect(() => new RandomSecretTokens({ key: new Uint8Array(length) })).to.throw(TypeError);
    for (const length of [32, 33, 1000])
      expect(() => new RandomSecretTokens({ key: randomBytes(length) })).to.not.throw();
  });

  it('derives what it ever derived: a change would end what was given out', () => {
    const tokens = new RandomSecretTokens({ key: new Uint8Array(32).fill(7) });
    expect([tokens.derive(''), tokens.derive('é😀')]).to.deep.equal([
      '4p5Mc5hrMgbFzFnKe8hV2NAW7iyE3WTbk8TkIIm8wsI',
      'EpvUnj3lVpk5AOd_ub0D9yaFthC0StJ2Fa5x5Bm9ZX8',
    ]);
  });

  it('derives other secrets under keys that differ in one bit, or in length', () => {
    const keys = [0, 1, 2].map((bits) => new Uint8Array(32).fill(bits, 31));
    const long = new Uint8Array(33);
    expect(new Set([...keys, long].map((key) => new RandomSecretTokens({ key }).derive('seed'))).size).to.equal(4);
  });

  it('is not touched when the bytes of its key change outside', () => {
    const key = randomBytes(32);
    const tokens = new RandomSecretTokens({ key });
    const before = tokens.derive('seed');
    key.fill(0);
    expect(tokens.derive('seed')).to.equal(before);
  });

  it('derives no signature of an access token under the same key, nor any plain use of it', () => {
    const key = randomBytes(32);
    const tokens = new RandomSecretTokens({ key });
    const token = new JwtAccessTokens({ secret: key, issuer: 'i', audience: 'a' }).sign(
      { accountId: randomUUID(), sessionId: randomUUID() },
      1_800_000_000_000_000,
      1_800_000_001_000_000,
    );
    const signed = token.slice(0, token.lastIndexOf('.'));
    const signature = token.slice(signed.length + 1);
    expect(createHmac('sha256', key).update(signed).digest('base64url')).to.equal(signature);
    for (const encoding of ['utf8', 'utf16le'] as const) {
      expect(tokens.derive(signed)).to.not.equal(
        createHmac('sha256', key).update(signed, encoding).digest('base64url'),
      );
    }
  });
});

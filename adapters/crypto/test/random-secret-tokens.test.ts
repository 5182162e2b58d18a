import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { JwtAccessTokens, RandomSecretTokens } from '@palimpsest/crypto';
import { expect } from 'chai';

describe('RandomSecretTokens', () => {
  it('throws TypeError for a key of less than 32 bytes', () => {
    for (const length of [0, 1, 31])
      expect(() => new RandomSecretTokens({ key: new Uint8Array(length) })).to.throw(TypeError);
    for (const length of [32, 33, 1000])
      expect(() => new RandomSecretTokens({ key: randomBytes(length) })).to.not.throw();
  });

  it('derives the same secrets in all versions, so that issued secrets stay valid', () => {
    const tokens = new RandomSecretTokens({ key: new Uint8Array(32).fill(7) });
    expect([tokens.derive(''), tokens.derive('é😀')]).to.deep.equal([
      '4p5Mc5hrMgbFzFnKe8hV2NAW7iyE3WTbk8TkIIm8wsI',
      'EpvUnj3lVpk5AOd_ub0D9yaFthC0StJ2Fa5x5Bm9ZX8',
    ]);
  });

  it('derives different secrets with keys that differ only in one bit or in length', () => {
    const keys = [0, 1, 2].map((bits) => new Uint8Array(32).fill(bits, 31));
    const long = new Uint8Array(33);
    expect(new Set([...keys, long].map((key) => new RandomSecretTokens({ key }).derive('seed'))).size).to.equal(4);
  });

  it('keeps its key when the caller overwrites the given bytes', () => {
    const key = randomBytes(32);
    const tokens = new RandomSecretTokens({ key });
    const before = tokens.derive('seed');
    key.fill(0);
    expect(tokens.derive('seed')).to.equal(before);
  });

  it('derives a secret that is neither the signature of an access token nor a plain HMAC with the same key', () => {
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

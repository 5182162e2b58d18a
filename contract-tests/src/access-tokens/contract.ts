import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { AppError, plusMs, type AccessClaims, type AccessTokens } from '@palimpsest/core';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';

const CLAIMS: AccessClaims = {
  accountId: '01a1fc10-1827-7434-a61f-18a1a6281dd1',
  sessionId: '01a1fc10-1827-7434-a61f-18a1a6281dd2',
};
const ISSUED = 1_795_253_412_000_000; // 2026-11-21T09:30:12Z
const EXPIRES = plusMs(ISSUED, 3_600_000);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const parse = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
const hmac = (text: string, key: string): string => createHmac('sha256', key).update(text).digest('base64url');

const codeOf = (action: () => unknown): string => {
  try {
    action();
    return 'accepted';
  } catch (error) {
    return error instanceof AppError ? error.code : `threw ${String(error)}`;
  }
};

/** Tests every promise of {@link AccessTokens} that can be tested without the signing key. */
export const describeAccessTokens = (name: string, open: Open<AccessTokens>, without: Without = {}): void => {
  describe(`${name}, an AccessTokens`, () => {
    const opened = openForEach(open);
    const tokens = (): AccessTokens => opened().subject;
    const signed = (): string => tokens().sign(CLAIMS, ISSUED, EXPIRES);
    const verdict = (token: string, now = ISSUED): string => codeOf(() => tokens().verify(token, now));

    it('returns exactly the signed claims', () => {
      expect(tokens().verify(signed(), ISSUED)).to.deep.equal(CLAIMS);
      const other = { accountId: CLAIMS.sessionId, sessionId: CLAIMS.accountId };
      expect(tokens().verify(tokens().sign(other, ISSUED, EXPIRES), ISSUED)).to.deep.equal(other);
    });

    it('signs a JWT of type at+jwt with its times in whole seconds', () => {
      const [header, payload] = signed().split('.');
      expect(parse(header)).to.include({ typ: 'at+jwt' });
      expect(parse(payload)).to.include({ iat: 1_795_253_412, exp: 1_795_257_012 });
      expect(parse(payload)).to.include.keys('iss', 'aud', 'sub');
    });

    it('accepts a token from the time of issue until the time of expiry, then throws TOKEN_EXPIRED', () => {
      expect(verdict(signed(), ISSUED)).to.equal('accepted');
      expect(verdict(signed(), ISSUED + 999_999)).to.equal('accepted');
      expect(verdict(signed(), EXPIRES - 1)).to.equal('accepted');
      expect(verdict(signed(), EXPIRES)).to.equal('TOKEN_EXPIRED');
      expect(verdict(signed(), EXPIRES + 61_000_000)).to.equal('TOKEN_EXPIRED');
      expect(verdict(signed(), plusMs(EXPIRES, 365 * 86_400_000))).to.equal('TOKEN_EXPIRED');
    });

    it('rejects a token before its time of issue', () => {
      expect(verdict(signed(), ISSUED - 1)).to.be.oneOf(['INVALID_TOKEN', 'TOKEN_EXPIRED']);
      expect(verdict(signed(), ISSUED - 3_600_000_000)).to.be.oneOf(['INVALID_TOKEN', 'TOKEN_EXPIRED']);
    });

    it('uses the given time, not the system clock', () => {
      const [past, future] = [1_000_000_000_000_000, 4_000_000_000_000_000];
      expect(verdict(tokens().sign(CLAIMS, past, past + 2_000_000), past + 1_000_000)).to.equal('accepted');
      expect(verdict(tokens().sign(CLAIMS, past, past + 2_000_000), past + 2_000_000)).to.equal('TOKEN_EXPIRED');
      expect(verdict(tokens().sign(CLAIMS, future, future + 2_000_000), future + 1_000_000)).to.equal('accepted');
    });

    it('throws INVALID_TOKEN for a token with one changed character', () => {
      const token = signed();
      for (let i = 0; i < token.length; i++) {
        const at = ALPHABET.indexOf(token[i] ?? '');
        for (const change of at < 0 ? ['A', ''] : [ALPHABET[(at + 1) % 64], '']) {
          expect(verdict(token.slice(0, i) + change + token.slice(i + 1)), `character ${i}`).to.equal('INVALID_TOKEN');
        }
      }
    });

    it('throws INVALID_TOKEN for any other encoding of a valid token', () => {
      const token = signed();
      const [header = '', payload = '', signature = ''] = token.split('.');
      const last = ALPHABET.indexOf(signature.at(-1) ?? '');
      const variants = [1, 2, 3].map(
        (bits) => `${header}.${payload}.${signature.slice(0, -1)}${ALPHABET[last ^ bits]}`,
      );
      variants.push(
        `${token}=`,
        `${token}==`,
        ` ${token}`,
        `${token} `,
        `${token}\n`,
        `\n${token}`,
        `${token}.`,
        `.${token}`,
      );
      variants.push(`${token}.${signature}`, `${header}=.${payload}.${signature}`, `${token}\0`, `Bearer ${token}`);
      variants.push(
        `${header}.${payload}`,
        `${header}.${payload}.`,
        `${header}..${signature}`,
        `.${payload}.${signature}`,
      );
      variants.push(`${payload}.${header}.${signature}`, token.toUpperCase(), token.toLowerCase(), `${token}${token}`);
      variants.push(
        `${header}.${payload}.${signature.slice(0, 4)}\n${signature.slice(4)}`,
        [...token].toReversed().join(''),
      );
      for (const variant of variants) expect(verdict(variant), variant).to.equal('INVALID_TOKEN');
    });

    for (const alg of ['none', 'nOnE', '', null, undefined, 'HS256', 'HS384', 'RS256', 'EdDSA']) {
      it(`throws INVALID_TOKEN for the algorithm ${String(alg) || "''"} without a signature or with another key`, () => {
        const [, payload = '', signature = ''] = signed().split('.');
        const jwk = { kty: 'oct', k: Buffer.from('my own key').toString('base64url') };
        for (const extra of [{}, { jwk }, { jku: 'http://127.0.0.1:1/' }, { kid: '../../dev/null' }]) {
          const content = `${json({ alg, typ: 'at+jwt', ...extra })}.${payload}`;
          for (const key of ['', 'secret', 'changeme', 'my own key', 'x'.repeat(32)]) {
            expect(verdict(`${content}.${hmac(content, key)}`)).to.equal('INVALID_TOKEN');
          }
          expect(verdict(`${content}.`)).to.equal('INVALID_TOKEN');
          if (alg !== 'HS256' || Object.keys(extra).length > 0)
            expect(verdict(`${content}.${signature}`)).to.equal('INVALID_TOKEN');
        }
      });
    }

    it('throws INVALID_TOKEN for changed claims with the original signature', () => {
      const [header = '', payload = '', signature = ''] = signed().split('.');
      for (const change of [
        { sub: CLAIMS.sessionId },
        { exp: 9_999_999_999 },
        { sub: { $ne: null } },
        { sub: 1 },
        { admin: true },
      ]) {
        expect(verdict(`${header}.${json({ ...parse(payload), ...change })}.${signature}`)).to.equal('INVALID_TOKEN');
      }
    });

    it('throws INVALID_TOKEN, not TOKEN_EXPIRED, for a forged token that has expired', () => {
      const token = signed();
      const forged = `${token.slice(0, -10)}AAAAAAAAAA`;
      expect(verdict(forged, EXPIRES)).to.equal('INVALID_TOKEN');
    });

    it('throws INVALID_TOKEN for any string that is not a token', () => {
      const strings = [
        '',
        '.',
        '..',
        '...',
        'a.b.c',
        'null',
        '{}',
        '\0',
        '\ud800',
        '😀.😀.😀',
        'ÿ.ÿ.ÿ',
        '%',
        'undefined',
        '__proto__',
        'a'.repeat(1_000_000),
      ];
      for (const value of [null, [], 1, '', {}, { alg: {} }, { alg: ['HS256'] }, { alg: 'HS256', crit: ['x'] }]) {
        strings.push(`${json(value)}.${json(value)}.`, `${json(value)}.${json(value)}.AAAA`);
      }
      strings.push(`${json({ alg: 'HS256' })}.${Buffer.from('not json').toString('base64url')}.AAAA`);
      strings.push(
        `${Buffer.from('{"alg"').toString('base64url')}.e30.AAAA`,
        `${Buffer.from([0xff, 0xfe]).toString('base64url')}.e30.AAAA`,
      );
      strings.push(`${signed()}${'A'.repeat(20_000)}`, `${'A'.repeat(20_000)}${signed()}`, '.'.repeat(20_000));
      for (const text of strings) expect(verdict(text), text.slice(0, 60)).to.equal('INVALID_TOKEN');
    });

    it('does not reveal the token or its claims in error messages', () => {
      for (const [token, now] of [
        [`${signed()}x`, ISSUED],
        [signed(), EXPIRES],
      ] as const) {
        try {
          tokens().verify(token, now);
          expect.fail('accepted');
        } catch (error) {
          expect((error as Error).message)
            .to.not.include(token.slice(0, 20))
            .and.not.include(CLAIMS.accountId);
        }
      }
    });

    describeWith('openSecond', opened, without, (second) => {
      it('accepts tokens of a second process of the same service', async () => {
        expect((await second()).verify(signed(), ISSUED)).to.deep.equal(CLAIMS);
      });
    });
  });
};

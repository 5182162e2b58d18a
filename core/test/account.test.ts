import { AppError, beginSession, canonicalEmail, newPassword, offeredPassword, REFRESH_TOKEN_TTL_MS } from '@palimpsest/core';
import { expect } from 'chai';
import * as fc from 'fast-check';

const label = (length: number): string => 'd'.repeat(length);

describe('an e-mail address', () => {
  for (const given of ['A@EXAMPLE.org', 'a@example.ORG', '  a@example.org ', '\ta@Example.Org\n']) {
    it(`${JSON.stringify(given)} is that of a@example.org`, () => {
      expect(canonicalEmail(given)).to.equal('a@example.org');
    });
  }

  const longest = `${'a'.repeat(64)}@${label(63)}.${label(63)}.${label(57)}.org`;
  for (const given of ['a+tag@example.org', "o'neil@example.org", 'a.b.c@x.co', '!#$%&\'*+/=?^_`{|}~-@example.org', 'a@xn--exmple-cua.org', 'a@a.b.c.d.museum', longest, 'a@1.2.3.x4']) {
    it(`${given.slice(0, 40)} (${given.length} characters) is taken`, () => {
      expect(canonicalEmail(given)).to.equal(given.toLowerCase());
    });
  }

  const refused = [
    '', ' ', 'a', '@', '@example.org', 'a@', 'a@localhost', '"a,b"@x.org', 'a@x.org,b@y.org', 'a@x.org\r\nBcc: b@y.org', 'g:a@x.org;', 'a(comment)@x.org', 'a@(comment)x.org',
    'a@[127.0.0.1]', 'a@127.0.0.1', 'a@x..org', 'a..b@x.org', '.a@x.org', 'a.@x.org', 'a@.x.org', 'a@x.org.', 'a@-x.org', 'a@x-.org', 'a@x_y.org', 'a b@x.org', 'a@x .org', 'a@@x.org',
    'a@b@x.org', '<a@x.org>', 'A <a@x.org>', 'a\0@x.org', 'ｕser@example.org', 'user@exämple.org', 'usér@example.org', 'dotless\u0131@example.org', '\u212Aelvin@example.org', 'a@\u212A.org',
    'a\u200b@example.org', 'a@exa\u200bmple.org', '\u202Ea@example.org', 'a@example。org', 'a@x.org;b@y.org', 'a@x.org b@y.org', 'a%00@x.org\n.com', `${'a'.repeat(65)}@x.org`,
    `a@${label(64)}.org`, `a@${`${label(63)}.`.repeat(4)}org`, `a${longest}`.replace('aa', 'a.'), 'x'.repeat(1_000_000),
  ];
  for (const given of refused) {
    it(`${JSON.stringify(given.slice(0, 40))} (${given.length} characters) is refused`, () => {
      expect(() => canonicalEmail(given)).to.throw(AppError, /^email: /).with.property('code', 'VALIDATION_ERROR');
    });
  }

  it('in canonical form stays as it is, in ASCII', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (given) => {
        const email = canonicalEmail(given);
        expect(email).to.match(/^[\x21-\x7e]+$/);
        expect(canonicalEmail(email)).to.equal(email);
        expect(canonicalEmail(given.toUpperCase())).to.equal(email);
      }),
    );
  });
});

describe('a password', () => {
  it('has 8 to 256 characters, counted as people do', () => {
    for (const character of ['a', 'é', '密', '😀', '\0', ' ']) {
      for (const length of [8, 64, 72, 73, 256]) expect(newPassword(character.repeat(length))).to.equal(character.repeat(length));
      for (const length of [0, 1, 7, 257, 10_000]) {
        expect(() => newPassword(character.repeat(length))).to.throw(AppError, /^password: /).with.property('code', 'VALIDATION_ERROR');
      }
    }
  });

  it('of a megabyte is refused in no time', () => {
    const begun = performance.now();
    expect(() => newPassword('a'.repeat(1_000_000))).to.throw(AppError);
    expect(offeredPassword('a'.repeat(1_000_000))).to.equal('');
    expect(performance.now() - begun).to.be.lessThan(1000);
  });

  it('is not trimmed, keeps NUL and case, and is one in all its compositions', () => {
    for (const password of ['  spaces  ', 'nul\0inside', 'CaseCase']) expect([newPassword(password), offeredPassword(password)]).to.deep.equal([password, password]);
    expect(newPassword('cafe\u0301 noir')).to.equal('caf\u00e9 noir');
    expect(offeredPassword('cafe\u0301 noir')).to.equal('caf\u00e9 noir');
  });

  it('with a lone surrogate is refused, and offered is just wrong', () => {
    expect(() => newPassword('password\ud800')).to.throw(AppError);
    expect(offeredPassword('password\ud800')).to.equal('password\ufffd');
  });

  it('that was taken is the same when it is offered', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 8, maxLength: 128 }), (given) => {
        if ([...given].length < 8) return;
        expect(offeredPassword(given)).to.equal(newPassword(given));
        expect(offeredPassword(given.normalize('NFD'))).to.equal(newPassword(given));
      }),
    );
  });

  it('of the greatest length may be offered in its longest composition', () => {
    const password = newPassword('\u1e69'.repeat(256));
    expect(offeredPassword(password.normalize('NFD'))).to.equal(password);
    const astral = newPassword('\u{1D15E}'.repeat(256));
    expect(offeredPassword('\u{1D15E}'.repeat(256))).to.equal(astral);
  });
});

describe('a session', () => {
  it('lasts as long as its refresh token', () => {
    expect(beginSession('s', 'a', 'd', 5)).to.deep.equal({
      id: 's', accountId: 'a', refreshTokenDigest: 'd', createdAt: 5, expiresAt: 5 + REFRESH_TOKEN_TTL_MS * 1000,
    });
  });
});

import {
  AppError,
  beginSession,
  canonicalEmail,
  isCanonicalEmail,
  isSenderAddress,
  newPassword,
  enteredPassword,
  classifyRefresh,
  REFRESH_TOKEN_TTL_MS,
  tokenExpiry,
} from '@palimpsest/core';
import { expect } from 'chai';
import * as fc from 'fast-check';

const EMAIL = 'ada@example.org';

const label = (length: number): string => 'd'.repeat(length);

describe('isCanonicalEmail', () => {
  it('accepts only an address that has its canonical form already', () => {
    expect(['a@example.org', 'A@example.org', ' a@example.org', 'a@localhost', ''].map(isCanonicalEmail)).to.deep.equal(
      [true, false, false, false, false],
    );
  });
});

describe('isSenderAddress', () => {
  it('accepts one plain address, also with a domain without a dot', () => {
    expect(['a@example.org', 'No_Reply@localhost'].every(isSenderAddress)).to.equal(true);
  });

  for (const text of [
    '',
    'a',
    'a@',
    'a b@x.org',
    'a@x.org, b@x.org',
    '"a"@x.org',
    'größe@x.org',
    'a@[::1]',
    'a@x.org\n',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(isSenderAddress(text)).to.equal(false);
    });
  }
});

describe('canonicalEmail', () => {
  for (const given of ['A@EXAMPLE.org', 'a@example.ORG', '  a@example.org ', '\ta@Example.Org\n']) {
    it(`${JSON.stringify(given)} is a@example.org in canonical form`, () => {
      expect(canonicalEmail(given)).to.equal('a@example.org');
    });
  }

  const longest = `${'a'.repeat(64)}@${label(63)}.${label(63)}.${label(57)}.org`;
  for (const given of [
    'a+tag@example.org',
    "o'neil@example.org",
    'a.b.c@x.co',
    "!#$%&'*+/=?^_`{|}~-@example.org",
    'a@xn--exmple-cua.org',
    'a@a.b.c.d.museum',
    longest,
    'a@1.2.3.x4',
  ]) {
    it(`${given.slice(0, 40)} (${given.length} characters) is accepted`, () => {
      expect(canonicalEmail(given)).to.equal(given.toLowerCase());
    });
  }

  const refused = [
    '',
    ' ',
    'a',
    '@',
    '@example.org',
    'a@',
    'a@localhost',
    '"a,b"@x.org',
    'a@x.org,b@y.org',
    'a@x.org\r\nBcc: b@y.org',
    'g:a@x.org;',
    'a(comment)@x.org',
    'a@(comment)x.org',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@x..org',
    'a..b@x.org',
    '.a@x.org',
    'a.@x.org',
    'a@.x.org',
    'a@x.org.',
    'a@-x.org',
    'a@x-.org',
    'a@x_y.org',
    'a b@x.org',
    'a@x .org',
    'a@@x.org',
    'a@b@x.org',
    '<a@x.org>',
    'A <a@x.org>',
    'a\0@x.org',
    'ｕser@example.org',
    'user@exämple.org',
    'usér@example.org',
    'dotless\u0131@example.org',
    '\u212Aelvin@example.org',
    'a@\u212A.org',
    'a\u200b@example.org',
    'a@exa\u200bmple.org',
    '\u202Ea@example.org',
    'a@example。org',
    'a@x.org;b@y.org',
    'a@x.org b@y.org',
    'a%00@x.org\n.com',
    `${'a'.repeat(65)}@x.org`,
    `a@${label(64)}.org`,
    `a@${`${label(63)}.`.repeat(4)}org`,
    `a${longest}`.replace('aa', 'a.'),
    'x'.repeat(1_000_000),
  ];
  for (const given of refused) {
    it(`${JSON.stringify(given.slice(0, 40))} (${given.length} characters) is refused`, () => {
      expect(() => canonicalEmail(given))
        .to.throw(AppError, /^email: /)
        .with.property('code', 'VALIDATION_ERROR');
    });
  }

  it('does not change a canonical address, which is ASCII', () => {
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
  it('has 8 to 256 code points', () => {
    for (const character of ['a', 'é', '密', '😀', '\0', ' ']) {
      for (const length of [8, 64, 72, 73, 256])
        expect(newPassword(character.repeat(length), EMAIL)).to.equal(character.repeat(length));
      for (const length of [0, 1, 7, 257, 10_000]) {
        expect(() => newPassword(character.repeat(length), EMAIL))
          .to.throw(AppError, /^password: /)
          .with.property('code', 'VALIDATION_ERROR');
      }
    }
  });

  it('of a megabyte is refused as a new password, and is wrong at a sign-in', () => {
    expect(() => newPassword('a'.repeat(1_000_000), EMAIL)).to.throw(AppError);
    expect(enteredPassword('a'.repeat(1_000_000))).to.equal('');
  });

  it('is not trimmed, keeps NUL and case, and is the same in all Unicode compositions', () => {
    for (const password of ['  spaces  ', 'nul\0inside', 'CaseCase'])
      expect([newPassword(password, EMAIL), enteredPassword(password)]).to.deep.equal([password, password]);
    expect(newPassword('cafe\u0301 noir', EMAIL)).to.equal('caf\u00e9 noir');
    expect(enteredPassword('cafe\u0301 noir')).to.equal('caf\u00e9 noir');
  });

  it('with a lone surrogate is refused as a new password, and is wrong at a sign-in', () => {
    expect(() => newPassword('password\ud800', EMAIL)).to.throw(AppError);
    expect(enteredPassword('password\ud800')).to.equal('password\ufffd');
  });

  it('has the same form as a new password and at a sign-in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 8, maxLength: 128 }), (given) => {
        if ([...given].length < 8) return;
        expect(enteredPassword(given)).to.equal(newPassword(given, EMAIL));
        expect(enteredPassword(given.normalize('NFD'))).to.equal(newPassword(given, EMAIL));
      }),
    );
  });

  it('of the maximal length is accepted at a sign-in in its longest Unicode form', () => {
    const password = newPassword('\u1e69'.repeat(256), EMAIL);
    expect(enteredPassword(password.normalize('NFD'))).to.equal(password);
    const astral = newPassword('\u{1D15E}'.repeat(256), EMAIL);
    expect(enteredPassword('\u{1D15E}'.repeat(256))).to.equal(astral);
  });
});

describe('newPassword', () => {
  for (const common of [
    'password',
    'PassWord',
    '  password  ',
    '12345678',
    '12345678 ',
    'qwertyuiop',
    'Palimpsest',
    '\u00a0letmein1\t',
    EMAIL,
    'Ada@Example.ORG',
    ` ${EMAIL} `,
  ]) {
    it(`${JSON.stringify(common)} is refused as a common password`, () => {
      expect(() => newPassword(common, EMAIL))
        .to.throw(AppError, /^password: .*guess/)
        .with.property('code', 'VALIDATION_ERROR');
    });
  }

  for (const fine of ['password\0', 'password12', `${EMAIL}!`, 'bob@example.org', '𝓹𝓪𝓼𝓼𝔀𝓸𝓻𝓭']) {
    it(`${JSON.stringify(fine)} is accepted`, () => {
      expect(newPassword(fine, EMAIL)).to.equal(fine);
    });
  }

  it('does not show the password in the error message', () => {
    for (const given of ['short', EMAIL, 'lone\udc00surrogate'])
      expect(() => newPassword(given, EMAIL))
        .to.throw(AppError)
        .with.property('message')
        .that.does.not.include(given);
  });

  it('refuses a password with a lone surrogate at any position', () => {
    for (const lone of ['\ud800', '\udbff', '\udc00', '\udfff', '\udc00\ud800']) {
      for (const given of [`${lone}12345678x`, `1234${lone}5678x`, `x12345678${lone}`])
        expect(() => newPassword(given, EMAIL))
          .to.throw(AppError)
          .with.property('code', 'VALIDATION_ERROR');
    }
  });
});

describe('a mailed token', () => {
  it('is valid for a day to verify an address, and for an hour to reset a password', () => {
    expect(tokenExpiry('verify-email', 7)).to.equal(7 + 24 * 3_600_000_000);
    expect(tokenExpiry('reset-password', 7)).to.equal(7 + 3_600_000_000);
  });
});

describe('a session', () => {
  const session = beginSession('s', 'a', 'd', 1_000_000);
  const graceEnd = 2_000_000 + 10_000_000;
  for (const [usedAt, now, verdict] of [
    [undefined, 1_000_000, 'rotate'],
    [undefined, session.expiresAt - 1, 'rotate'],
    [undefined, session.expiresAt, 'expired'],
    [undefined, session.expiresAt + 1, 'expired'],
    [2_000_000, 2_000_000, 'repeated'],
    [2_000_000, 1_999_999, 'repeated'],
    [2_000_000, graceEnd, 'repeated'],
    [2_000_000, graceEnd + 1, 'reused'],
    [2_000_000, session.expiresAt - 1, 'reused'],
    [2_000_000, session.expiresAt, 'expired'],
    [session.expiresAt - 5, session.expiresAt - 1, 'repeated'],
    [session.expiresAt - 5, session.expiresAt, 'expired'],
  ] as const) {
    it(`classifies as ${verdict} at ${now} a token that was ${usedAt === undefined ? 'not used' : `used at ${usedAt}`}`, () => {
      expect(classifyRefresh(session, usedAt, now)).to.equal(verdict);
    });
  }

  it('expires with its refresh token', () => {
    expect(beginSession('s', 'a', 'd', 5)).to.deep.equal({
      id: 's',
      accountId: 'a',
      refreshTokenDigest: 'd',
      createdAt: 5,
      expiresAt: 5 + REFRESH_TOKEN_TTL_MS * 1000,
    });
  });
});

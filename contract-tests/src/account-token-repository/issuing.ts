import type { AccountTokenRepository } from '@palimpsest/core';
import { expect } from 'chai';
import type { SubjectTest } from '../kit/harness.ts';
import { at } from '../kit/samples.ts';
import { anAccountToken } from './samples.ts';
import { CONCURRENT, expectInvalid, expectValid, raceIssues } from './validity.ts';

/** Tests which token is valid after tokens are issued. */
export const describeIssuing = (test: SubjectTest<AccountTokenRepository>): void => {
  test('replaces a token by one that is newer by one microsecond', async (tokens) => {
    const older = anAccountToken({ requestedAt: at(10), expiresAt: at(9999) });
    const newer = anAccountToken({ requestedAt: at(10) + 1 });
    expect(await tokens.issue(older)).to.equal(true);
    expect(await tokens.issue(newer)).to.equal(true);
    await expectInvalid(tokens, older);
    await expectValid(tokens, newer);
    expect(await tokens.spend(newer.digest, newer.purpose)).to.equal(true);
  });

  test('returns `false` for a token that is not newer, and changes nothing', async (tokens) => {
    const token = anAccountToken({ requestedAt: at(10) });
    await tokens.issue(token);
    for (const requestedAt of [at(10), at(10) - 1, at(0), 0]) {
      const late = anAccountToken({ requestedAt, expiresAt: at(9999) });
      expect(await tokens.issue(late)).to.equal(false);
      await expectInvalid(tokens, late);
      await expectValid(tokens, token);
    }
  });

  test('changes only the expiry when the same token is issued again', async (tokens) => {
    const token = anAccountToken();
    await tokens.issue(token);
    for (const expiresAt of [at(7200) + 1, at(60), at(60)]) {
      expect(await tokens.issue({ ...token, expiresAt })).to.equal(true);
      await expectValid(tokens, { ...token, expiresAt });
    }
    for (const requestedAt of [at(1), token.requestedAt - 1]) {
      expect(await tokens.issue({ ...token, requestedAt })).to.equal(true);
      await expectValid(tokens, token);
    }
    expect(await tokens.spend(token.digest, token.purpose)).to.equal(true);
    await expectInvalid(tokens, token);
  });

  test('returns `false` for a spent token that is issued again, and for one that is not newer', async (tokens) => {
    const token = anAccountToken({ requestedAt: at(10) });
    await tokens.issue(token);
    await tokens.spend(token.digest, token.purpose);
    const again = [token, { ...token, expiresAt: at(9999) }, { ...token, requestedAt: at(11) }];
    for (const refused of [...again, anAccountToken({ requestedAt: at(10) }), anAccountToken({ requestedAt: at(9) })]) {
      expect(await tokens.issue(refused)).to.equal(false);
      await expectInvalid(tokens, refused);
    }
  });

  test('replaces a spent token by a newer one', async (tokens) => {
    const [older, newer] = [anAccountToken(), anAccountToken({ requestedAt: at(0) + 1 })];
    await tokens.issue(older);
    await tokens.spend(older.digest, older.purpose);
    expect(await tokens.issue(newer)).to.equal(true);
    await expectValid(tokens, newer);
    await expectInvalid(tokens, older);
    expect(await tokens.spend(newer.digest, newer.purpose)).to.equal(true);
  });

  test('keeps the newest of many tokens that are issued concurrently', async (tokens) => {
    await raceIssues([tokens, tokens], 'account-1');
  });

  test('keeps exactly one of many concurrent tokens with the same time', async (tokens) => {
    const candidates = Array.from({ length: CONCURRENT }, () => anAccountToken());
    const issued = await Promise.all(candidates.map((token) => tokens.issue(token)));
    expect(issued.filter(Boolean)).to.deep.equal([true]);
    for (const [i, token] of candidates.entries())
      await (issued[i] ? expectValid(tokens, token) : expectInvalid(tokens, token));
  });
};

import type { AccountTokenRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { accountTokenFaultCases } from './faults.ts';
import { describeIssuing } from './issuing.ts';
import { anAccountToken } from './samples.ts';
import { expectInvalid, expectValid, raceIssues, raceSpends } from './validity.ts';
import { at, lookalikes, MANY, strangeTexts, unknownIds } from '../kit/samples.ts';
import { describeFaults } from '../kit/fault-cases.ts';

/** Tests every promise of `AccountTokenRepository`. */
export const describeAccountTokenRepository = (
  name: string,
  open: Open<AccountTokenRepository>,
  without: Without = {},
): void =>
  void describe(`${name}, an AccountTokenRepository`, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('finds a token with exactly its fields by digest and purpose, expired or not', async (tokens) => {
      const issued = [
        anAccountToken(),
        anAccountToken({ accountId: 'account-2', requestedAt: 0, expiresAt: 1 }),
        anAccountToken({ accountId: 'account-3', purpose: 'verify-email', expiresAt: at(7e9) + 1 }),
      ];
      for (const token of issued) expect(await tokens.issue(token)).to.equal(true);
      for (const token of issued) await expectValid(tokens, token);
    });

    test('neither finds nor spends a token by any other digest or purpose', async (tokens) => {
      const token = anAccountToken();
      await tokens.issue(token);
      const near = [
        token.accountId,
        token.digest.toUpperCase(),
        token.digest.slice(1),
        `${token.digest}0`,
        anAccountToken().digest,
      ];
      for (const digest of [...unknownIds, ...near]) {
        expect(await tokens.find(digest, token.purpose), digest).to.equal(undefined);
        expect(await tokens.spend(digest, token.purpose), digest).to.equal(false);
      }
      await expectInvalid(tokens, { ...token, purpose: 'verify-email' });
      await expectValid(tokens, token);
    });

    test('stores any account id and digest unchanged', async (tokens) => {
      const issued = strangeTexts.map((text) => anAccountToken({ accountId: text, digest: text }));
      for (const token of issued) expect(await tokens.issue(token)).to.equal(true);
      for (const token of issued) await expectValid(tokens, token);
    });

    describeIssuing(test);

    test('spends a token once, expired or not', async (tokens) => {
      const other = anAccountToken({ accountId: 'account-3' });
      await tokens.issue(other);
      for (const token of [
        anAccountToken(),
        anAccountToken({ accountId: 'account-2', requestedAt: 0, expiresAt: 1 }),
      ]) {
        await tokens.issue(token);
        expect(await tokens.spend(token.digest, token.purpose)).to.equal(true);
        await expectInvalid(tokens, token);
      }
      await expectValid(tokens, other);
    });

    test('keeps tokens of different purposes separate, even with the same digest', async (tokens) => {
      const reset = anAccountToken({ requestedAt: at(10) });
      const verify = anAccountToken({ requestedAt: at(5), purpose: 'verify-email', digest: reset.digest });
      expect(await tokens.issue(reset)).to.equal(true);
      expect(await tokens.issue(verify)).to.equal(true);
      await expectValid(tokens, reset);
      await expectValid(tokens, verify);
      await tokens.spend(reset.digest, 'reset-password');
      await expectInvalid(tokens, reset);
      await expectValid(tokens, verify);
    });

    test('lets exactly one of many concurrent calls spend a token', async (tokens) => {
      const [token, other] = [anAccountToken(), anAccountToken({ accountId: 'account-2' })];
      await tokens.issue(token);
      await tokens.issue(other);
      await raceSpends([tokens, tokens], token);
      await expectValid(tokens, other);
    });

    test('removes all tokens of one account, spent or not, and of no other account', async (tokens) => {
      const spent = anAccountToken({ requestedAt: at(10) });
      const verify = anAccountToken({ purpose: 'verify-email' });
      const others = ['account-2', 'account-11', ...strangeTexts].map((accountId) => anAccountToken({ accountId }));
      for (const token of [spent, verify, ...others]) await tokens.issue(token);
      await tokens.spend(spent.digest, spent.purpose);
      for (const accountId of ['account-1', 'account-1', 'nobody']) await tokens.removeAllOf(accountId);
      await expectInvalid(tokens, verify);
      for (const token of others) await expectValid(tokens, token);
      const older = anAccountToken({ requestedAt: at(5) });
      expect(await tokens.issue(older), 'an older token is accepted after the removal').to.equal(true);
      await expectValid(tokens, older);
    });

    test('removes expired tokens, spent or not, exact to the microsecond, and returns their number', async (tokens) => {
      const expiring = (expiresAt: number) =>
        anAccountToken({ accountId: `expires ${expiresAt}`, requestedAt: 0, expiresAt });
      const [expired, spent] = [[expiring(at(10)), expiring(at(10) - 1), expiring(1)], expiring(at(9))];
      const valid = [expiring(at(10) + 1), expiring(at(20))];
      for (const token of [...expired, spent, ...valid]) await tokens.issue(token);
      await tokens.spend(spent.digest, spent.purpose);
      expect(await tokens.removeExpired(0), 'number removed').to.equal(0);
      for (const token of expired) await expectValid(tokens, token);
      expect(await tokens.removeExpired(at(10)), 'number removed').to.equal(4);
      expect(await tokens.removeExpired(at(10)), 'number removed').to.equal(0);
      for (const token of expired) await expectInvalid(tokens, token);
      for (const token of valid) await expectValid(tokens, token);
    });

    test('removes every one of many expired tokens', async (tokens) => {
      const many = Array.from({ length: MANY }, (_, i) =>
        anAccountToken({ accountId: `account-${i}`, expiresAt: at(10) }),
      );
      await Promise.all(many.map((token) => tokens.issue(token)));
      expect(await tokens.removeExpired(at(10)), 'number removed').to.equal(MANY);
      for (const token of many) expect(await tokens.find(token.digest, token.purpose)).to.equal(undefined);
    });

    test('does not remove tokens of an account with a similar id', async (tokens) => {
      const issued = lookalikes.map((accountId) => anAccountToken({ accountId }));
      for (const token of issued) await tokens.issue(token);
      for (const [i, { accountId }] of issued.entries()) {
        await tokens.removeAllOf(accountId);
        for (const token of issued.slice(i + 1)) await expectValid(tokens, token);
        await expectInvalid(tokens, issued[i] ?? anAccountToken());
      }
    });

    test('remembers a spent token until it expires', async (tokens) => {
      const token = anAccountToken();
      await tokens.issue(token);
      await tokens.spend(token.digest, token.purpose);
      expect(await tokens.removeExpired(token.expiresAt - 1), 'number removed').to.equal(0);
      expect(await tokens.issue(token)).to.equal(false);
    });

    test('is not affected when the caller modifies given or returned objects', async (tokens) => {
      const token = anAccountToken();
      const given = { ...token };
      await tokens.issue(given);
      modifyDeeply(given);
      await expectValid(tokens, token);
      modifyDeeply(await tokens.find(token.digest, token.purpose));
      await expectValid(tokens, token);
    });

    describeWith('openSecond', opened, without, (second) => {
      test('sees every change of the first handle at once', async (here) => {
        const there = await second();
        const [one, two, other] = [
          anAccountToken(),
          anAccountToken({ requestedAt: at(1) }),
          anAccountToken({ accountId: 'account-2' }),
        ];
        await here.issue(one);
        await expectValid(there, one);
        expect(await there.issue(two)).to.equal(true);
        await expectInvalid(here, one);
        expect(await here.issue(one)).to.equal(false);
        expect(await here.spend(two.digest, two.purpose)).to.equal(true);
        await expectInvalid(there, two);
        expect(await there.issue(two)).to.equal(false);
        await here.issue(other);
        await there.removeAllOf('account-2');
        await expectInvalid(here, other);
      });

      it('lets one call spend a token and keeps the newest token over both handles', async () => {
        const [here, there] = [opened().subject, await second()];
        const token = anAccountToken();
        await here.issue(token);
        await raceSpends([here, there], token);
        await raceIssues([here, there], 'account-2');
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      test('keeps valid tokens valid and spent tokens spent', async (before) => {
        const [kept, spent] = [anAccountToken(), anAccountToken({ accountId: 'account-2' })];
        for (const token of [kept, spent]) await before.issue(token);
        await before.issue({ ...kept, expiresAt: at(7200) });
        await before.spend(spent.digest, spent.purpose);
        const tokens = await reopen();
        await expectValid(tokens, { ...kept, expiresAt: at(7200) });
        await expectInvalid(tokens, spent);
        expect(await tokens.issue(spent)).to.equal(false);
      });
    });

    describeFaults(opened, without, (subject) => subject, accountTokenFaultCases);
  });

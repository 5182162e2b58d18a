import type { AccountRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { expectTypeError } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { anAccount } from './samples.ts';
import { at, MANY, sampleId, unknownIds } from '../kit/samples.ts';

/** Tests closing accounts, the list of closed accounts, and `forget`. */
export const describeClosedAccounts = (name: string, open: Open<AccountRepository>, without: Without): void =>
  void describe(`${name}, closed accounts`, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('closes only the account with the given id', async (accounts) => {
      const [gone, kept] = [anAccount(), anAccount()];
      await accounts.add(gone);
      await accounts.add(kept);
      expect(await accounts.closed()).to.deep.equal([]);
      for (const id of [...unknownIds, gone.email, kept.email, gone.id]) await accounts.close(id, at(1) + 1);
      expect(await accounts.find(gone.id)).to.equal(undefined);
      expect(await accounts.findByEmail(gone.email)).to.equal(undefined);
      expect(await accounts.find(kept.id)).to.deep.equal(kept);
      expect(await accounts.findByEmail(kept.email)).to.deep.equal(kept);
      expect(await accounts.closed()).to.deep.equal([{ id: gone.id, closedAt: at(1) + 1 }]);
    });

    test('does not change a closed or forgotten account', async (accounts) => {
      const account = anAccount();
      const expectNoEffect = async () => {
        await accounts.verifyEmail(account.id);
        expect(await accounts.changePassword(account.id, account.passwordHash, 'another')).to.equal(false);
        await accounts.close(account.id, at(5));
        expect(await accounts.find(account.id)).to.equal(undefined);
        expect(await accounts.findByEmail(account.email)).to.equal(undefined);
      };
      await accounts.add(account);
      await accounts.close(account.id, at(3));
      await expectNoEffect();
      await accounts.close(account.id, at(1));
      expect(await accounts.closed()).to.deep.equal([{ id: account.id, closedAt: at(3) }]);
      await accounts.forget(account.id);
      await expectNoEffect();
      expect(await accounts.closed()).to.deep.equal([]);
    });

    test('frees the address of a closed account at once', async (accounts) => {
      const gone = anAccount({ emailVerified: true });
      await accounts.add(gone);
      await accounts.close(gone.id, at(1));
      const next = anAccount({ email: gone.email, passwordHash: 'another' });
      expect(await accounts.add(next)).to.equal(true);
      await accounts.close(gone.id, at(2));
      await accounts.forget(gone.id);
      expect(await accounts.findByEmail(gone.email)).to.deep.equal(next);
      expect(await accounts.find(next.id)).to.deep.equal(next);
      expect(await accounts.find(gone.id)).to.equal(undefined);
    });

    test('throws a TypeError for a new account with the id of a closed one', async (accounts) => {
      const gone = anAccount();
      await accounts.add(gone);
      await accounts.close(gone.id, at(1));
      const next = anAccount({ id: gone.id, email: 'next@example.org' });
      await expectTypeError(() => accounts.add(next));
      expect(await accounts.find(gone.id)).to.equal(undefined);
      expect(await accounts.findByEmail(next.email)).to.equal(undefined);
      expect(await accounts.closed()).to.deep.equal([{ id: gone.id, closedAt: at(1) }]);
    });

    test('lists closed accounts by closing time, earliest first', async (accounts) => {
      // This order differs from the order of the ids, of the calls, and of the times as text.
      const moments = [at(30), 0, 5, at(10) + 1, 40, at(10), at(20)];
      const stored = moments.map((closedAt, i) => ({
        account: anAccount({ id: sampleId((i * 7) % 5) + String(i) }),
        closedAt,
      }));
      for (const { account } of stored) await accounts.add(account);
      for (const { account, closedAt } of stored) await accounts.close(account.id, closedAt);
      const sorted = stored
        .map(({ account, closedAt }) => ({ id: account.id, closedAt }))
        .sort((a, b) => a.closedAt - b.closedAt);
      expect(await accounts.closed()).to.deep.equal(sorted);
      const together = [anAccount(), anAccount()];
      for (const account of together) await accounts.add(account);
      for (const account of together) await accounts.close(account.id, 1);
      const listed = await accounts.closed();
      expect(listed.slice(1, 3)).to.have.deep.members(together.map(({ id }) => ({ id, closedAt: 1 })));
      expect([...listed.slice(0, 1), ...listed.slice(3)]).to.deep.equal(sorted);
    });

    test(`lists every one of ${MANY} closed accounts`, async (accounts) => {
      const many = Array.from({ length: MANY }, () => anAccount());
      await Promise.all(many.map((account) => accounts.add(account)));
      await Promise.all(many.map((account, i) => accounts.close(account.id, at(i))));
      expect(await accounts.closed()).to.deep.equal(many.map(({ id }, i) => ({ id, closedAt: at(i) })));
    });

    test('forgets only the closed account with the given id, and no open account', async (accounts) => {
      const [first, second, open] = [anAccount(), anAccount(), anAccount()];
      for (const account of [first, second, open]) await accounts.add(account);
      await accounts.close(first.id, at(1));
      await accounts.close(second.id, at(2));
      for (const id of [...unknownIds, open.id, second.email, first.id, first.id]) await accounts.forget(id);
      expect(await accounts.closed()).to.deep.equal([{ id: second.id, closedAt: at(2) }]);
      expect(await accounts.find(open.id)).to.deep.equal(open);
      expect(await accounts.findByEmail(open.email)).to.deep.equal(open);
    });

    test('keeps one closing time when an account is closed many times concurrently', async (accounts) => {
      const account = anAccount();
      await accounts.add(account);
      await Promise.all(Array.from({ length: 20 }, (_, i) => accounts.close(account.id, at(i))));
      const before = await accounts.closed();
      expect(before.map(({ id }) => id)).to.deep.equal([account.id]);
      await accounts.close(account.id, at(100));
      expect(await accounts.closed()).to.deep.equal(before);
    });

    test('does not restore an account that is closed during another change', async (accounts) => {
      for (let round = 0; round < 10; round++) {
        const account = anAccount();
        await accounts.add(account);
        await Promise.all([
          accounts.changePassword(account.id, account.passwordHash, 'another'),
          accounts.verifyEmail(account.id),
          accounts.close(account.id, at(round)),
        ]);
        expect(await accounts.find(account.id)).to.equal(undefined);
        expect(await accounts.findByEmail(account.email)).to.equal(undefined);
      }
      expect(await accounts.closed()).to.have.length(10);
    });

    describeWith('openSecond', opened, without, (second) => {
      test('sees closed and forgotten accounts of the first handle at once', async (here) => {
        const there = await second();
        const account = anAccount();
        await here.add(account);
        await here.close(account.id, at(1));
        expect(await there.find(account.id)).to.equal(undefined);
        expect(await there.closed()).to.deep.equal([{ id: account.id, closedAt: at(1) }]);
        expect(await there.add(anAccount({ email: account.email }))).to.equal(true);
        await there.forget(account.id);
        expect(await here.closed()).to.deep.equal([]);
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      test('has every closed account and no forgotten one', async (subject) => {
        const [gone, forgotten] = [anAccount(), anAccount()];
        for (const account of [gone, forgotten]) await subject.add(account);
        for (const account of [gone, forgotten]) await subject.close(account.id, at(1));
        await subject.forget(forgotten.id);
        const accounts = await reopen();
        expect(await accounts.closed()).to.deep.equal([{ id: gone.id, closedAt: at(1) }]);
        expect(await accounts.find(gone.id)).to.equal(undefined);
        expect(await accounts.add(anAccount({ email: gone.email }))).to.equal(true);
      });
    });
  });

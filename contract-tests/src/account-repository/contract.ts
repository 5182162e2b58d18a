import type { AccountRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { describeClosedAccounts } from './closed-accounts.ts';
import { expectTypeError, modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { accountFaultCases } from './faults.ts';
import { anAccount } from './samples.ts';
import { at, sampleId, strangeTexts, unknownIds } from '../kit/samples.ts';
import { describeFaults } from '../kit/fault-cases.ts';

/** Tests every promise of `AccountRepository`. */
export const describeAccountRepository = (name: string, open: Open<AccountRepository>, without: Without = {}): void => {
  describe(`${name}, an AccountRepository`, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('finds an account with exactly its fields by id and by address', async (accounts) => {
      const [one, other] = [anAccount({ emailVerified: true }), anAccount({ createdAt: at(1) + 1 })];
      expect([await accounts.add(one), await accounts.add(other)]).to.deep.equal([true, true]);
      for (const account of [one, other]) {
        expect(await accounts.find(account.id)).to.deep.equal(account);
        expect(await accounts.findByEmail(account.email)).to.deep.equal(account);
      }
    });

    test('returns `undefined` for any other id or address', async (accounts) => {
      const account = anAccount({ id: sampleId(1), email: 'ann.b@example.org' });
      await accounts.add(account);
      const near = [
        'ann.b@example.or',
        'ann.b@example.org ',
        'annxb@example.org',
        '%@example.org',
        '.*',
        'ANN.B@example.org',
        account.id,
      ];
      for (const text of [...unknownIds, ...near]) expect(await accounts.findByEmail(text), text).to.equal(undefined);
      for (const text of [...unknownIds, account.email, sampleId(2)])
        expect(await accounts.find(text), text).to.equal(undefined);
    });

    test('stores any text unchanged', async (accounts) => {
      const stored = strangeTexts.map((text) =>
        anAccount({ id: text, email: `${text}@example.org`, passwordHash: text }),
      );
      for (const account of stored) expect(await accounts.add(account)).to.equal(true);
      for (const account of stored) {
        expect(await accounts.find(account.id)).to.deep.equal(account);
        expect(await accounts.findByEmail(account.email)).to.deep.equal(account);
      }
    });

    test('returns `false` for an address that is taken, and stores nothing', async (accounts) => {
      const account = anAccount();
      await accounts.add(account);
      const candidate = anAccount({ email: account.email, passwordHash: 'another' });
      expect(await accounts.add(candidate)).to.equal(false);
      expect(await accounts.find(candidate.id)).to.equal(undefined);
      expect(await accounts.findByEmail(account.email)).to.deep.equal(account);
    });

    test('lets exactly one of many concurrent accounts have an address', async (accounts) => {
      const candidates = Array.from({ length: 20 }, () => anAccount({ email: 'ann@example.org' }));
      const others = Array.from({ length: 20 }, () => anAccount());
      const [won, stored] = await Promise.all([
        Promise.all(candidates.map((account) => accounts.add(account))),
        Promise.all(others.map((account) => accounts.add(account))),
      ]);
      expect(stored).to.not.include(false);
      const winners = candidates.filter((_, i) => won[i]);
      expect(winners).to.have.length(1);
      expect(await accounts.findByEmail('ann@example.org')).to.deep.equal(winners[0]);
      const found = await Promise.all(candidates.map(({ id }) => accounts.find(id)));
      expect(found.filter((account) => account !== undefined)).to.deep.equal(winners);
    });

    test('throws a TypeError for a taken id and keeps the account that has it', async (accounts) => {
      const account = anAccount();
      await accounts.add(account);
      await expectTypeError(() => accounts.add(anAccount({ id: account.id, email: 'another@example.org' })));
      expect(await accounts.find(account.id)).to.deep.equal(account);
      expect(await accounts.findByEmail('another@example.org')).to.equal(undefined);
    });

    test('lets exactly one of several concurrent accounts have an id', async (accounts) => {
      const candidates = Array.from({ length: 10 }, (_, i) =>
        anAccount({ id: sampleId(1), email: `candidate-${i}@example.org` }),
      );
      const results = await Promise.allSettled(candidates.map((candidate) => accounts.add(candidate)));
      for (const result of results) if (result.status === 'rejected') expect(result.reason).to.be.instanceOf(TypeError);
      const winners = candidates.filter((_, i) => results[i]?.status === 'fulfilled');
      expect(winners).to.have.length(1);
      expect(await accounts.find(sampleId(1))).to.deep.equal(winners[0]);
      const found = await Promise.all(candidates.map(({ email }) => accounts.findByEmail(email)));
      expect(found.filter((account) => account !== undefined)).to.deep.equal(winners);
    });

    test('leaves the address of a refused id and the id of a refused address free', async (accounts) => {
      const account = anAccount();
      await accounts.add(account);
      const [free, other] = [anAccount(), anAccount()];
      await expectTypeError(() => accounts.add({ ...free, id: account.id }));
      expect(await accounts.add({ ...other, email: account.email })).to.equal(false);
      for (const next of [free, other]) expect(await accounts.add(next)).to.equal(true);
      for (const next of [free, other]) expect(await accounts.findByEmail(next.email)).to.deep.equal(next);
    });

    test('marks the address of one account as verified and changes nothing else', async (accounts) => {
      const [one, other] = [anAccount(), anAccount()];
      for (const account of [one, other]) await accounts.add(account);
      for (const id of [...unknownIds, other.email, sampleId(), one.id, one.id]) await accounts.verifyEmail(id);
      const verified = { ...one, emailVerified: true };
      expect(await accounts.find(one.id)).to.deep.equal(verified);
      expect(await accounts.findByEmail(one.email)).to.deep.equal(verified);
      expect(await accounts.find(other.id)).to.deep.equal(other);
    });

    test('changes the password hash of one account and nothing else', async (accounts) => {
      const [one, other] = [anAccount({ emailVerified: true }), anAccount()];
      for (const account of [one, other]) await accounts.add(account);
      expect(await accounts.changePassword(one.id, one.passwordHash, 'another')).to.equal(true);
      expect(await accounts.find(one.id)).to.deep.equal({ ...one, passwordHash: 'another' });
      expect(await accounts.findByEmail(one.email)).to.deep.equal({ ...one, passwordHash: 'another' });
      expect(await accounts.find(other.id)).to.deep.equal(other);
      expect(await accounts.changePassword(one.id, one.passwordHash, 'a third')).to.equal(false);
      expect(await accounts.changePassword(one.id, 'another', 'another')).to.equal(true);
      expect(await accounts.changePassword(one.id, 'another', one.passwordHash)).to.equal(true);
      expect(await accounts.find(one.id)).to.deep.equal(one);
    });

    test('returns `false` and changes nothing if `from` is not the stored hash or the account does not exist', async (accounts) => {
      const account = anAccount();
      await accounts.add(account);
      const hash = account.passwordHash;
      for (const from of [...unknownIds, hash.toUpperCase(), hash.slice(0, -1), `${hash} `, `${hash}\0`, account.id]) {
        expect(await accounts.changePassword(account.id, from, 'another'), from).to.equal(false);
      }
      for (const id of [...unknownIds, account.email, sampleId()]) {
        expect(await accounts.changePassword(id, hash, 'another'), id).to.equal(false);
        expect(await accounts.find(id), id).to.equal(undefined);
      }
      expect(await accounts.find(account.id)).to.deep.equal(account);
    });

    test('lets exactly one of many concurrent password changes succeed and loses no other change', async (accounts) => {
      const account = anAccount();
      await accounts.add(account);
      const hashes = Array.from({ length: 20 }, (_, i) => `hash ${i}`);
      const [won] = await Promise.all([
        Promise.all(hashes.map((to) => accounts.changePassword(account.id, account.passwordHash, to))),
        accounts.verifyEmail(account.id),
      ]);
      const winners = hashes.filter((_, i) => won[i]);
      expect(winners).to.have.length(1);
      expect(await accounts.find(account.id)).to.deep.equal({
        ...account,
        emailVerified: true,
        passwordHash: winners[0],
      });
    });

    test('is not affected when the caller modifies given or returned objects', async (accounts) => {
      const account = anAccount();
      const given = { ...account };
      await accounts.add(given);
      modifyDeeply(given);
      expect(await accounts.find(account.id)).to.deep.equal(account);
      modifyDeeply(await accounts.find(account.id));
      modifyDeeply(await accounts.findByEmail(account.email));
      expect(await accounts.find(account.id)).to.deep.equal(account);
      expect(await accounts.findByEmail(account.email)).to.deep.equal(account);
    });

    describeWith('openSecond', opened, without, (second) => {
      test('sees every change of the first handle at once, and keeps addresses unique over both', async (here) => {
        const there = await second();
        const account = anAccount();
        await here.add(account);
        expect(await there.find(account.id)).to.deep.equal(account);
        expect(await there.findByEmail(account.email)).to.deep.equal(account);
        expect(await there.add(anAccount({ email: account.email }))).to.equal(false);
        const candidates = Array.from({ length: 20 }, () => anAccount({ email: 'ann@example.org' }));
        const won = await Promise.all(candidates.map((candidate, i) => (i % 2 === 0 ? here : there).add(candidate)));
        expect(won.filter(Boolean)).to.have.length(1);
        await there.verifyEmail(account.id);
        expect((await here.find(account.id))?.emailVerified).to.equal(true);
      });

      test('lets exactly one of many concurrent password changes on both handles succeed', async (here) => {
        const there = await second();
        const account = anAccount();
        await here.add(account);
        const hashes = Array.from({ length: 20 }, (_, i) => `hash ${i}`);
        const won = await Promise.all(
          hashes.map((to, i) => (i % 2 === 0 ? here : there).changePassword(account.id, account.passwordHash, to)),
        );
        const winners = hashes.filter((_, i) => won[i]);
        expect(winners).to.have.length(1);
        for (const handle of [here, there]) expect((await handle.find(account.id))?.passwordHash).to.equal(winners[0]);
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      test('has every account with its changes', async (subject) => {
        const [account, other] = [anAccount(), anAccount()];
        for (const each of [account, other]) await subject.add(each);
        await subject.verifyEmail(other.id);
        await subject.changePassword(other.id, other.passwordHash, 'another');
        const accounts = await reopen();
        expect(await accounts.findByEmail(account.email)).to.deep.equal(account);
        expect(await accounts.find(other.id)).to.deep.equal({ ...other, emailVerified: true, passwordHash: 'another' });
        expect(await accounts.add(anAccount({ email: account.email }))).to.equal(false);
      });
    });

    describeFaults(opened, without, (subject) => subject, accountFaultCases);
  });
  describeClosedAccounts(name, open, without);
};

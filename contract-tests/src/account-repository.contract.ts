import type { AccountRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { spoil } from './expectations.ts';
import { describeWith, openForEach, type Open, type Without } from './harness.ts';
import { anAccount, at, sampleId, strangeTexts, unknownIds } from './samples.ts';

/** What every `AccountRepository` promises. */
export const describeAccountRepository = (name: string, open: Open<AccountRepository>, without: Without = {}): void =>
  void describe(`${name}, an AccountRepository`, () => {
    const opened = openForEach(open);

    it('finds an account by its id and by its address, with exactly its fields', async () => {
      const { subject: accounts } = opened();
      const [one, other] = [anAccount({ emailVerified: true }), anAccount({ createdAt: at(1) + 1 })];
      expect([await accounts.add(one), await accounts.add(other)]).to.deep.equal([true, true]);
      for (const account of [one, other]) {
        expect(await accounts.find(account.id)).to.deep.equal(account);
        expect(await accounts.findByEmail(account.email)).to.deep.equal(account);
      }
    });

    it('finds nothing under any other id or address', async () => {
      const { subject: accounts } = opened();
      const account = anAccount({ id: sampleId(1), email: 'ann.b@example.org' });
      await accounts.add(account);
      const near = ['ann.b@example.or', 'ann.b@example.org ', 'annxb@example.org', '%@example.org', '.*', 'ANN.B@example.org', account.id];
      for (const text of [...unknownIds, ...near]) expect(await accounts.findByEmail(text), text).to.equal(undefined);
      for (const text of [...unknownIds, account.email, sampleId(2)]) expect(await accounts.find(text), text).to.equal(undefined);
    });

    it('keeps any text as it is', async () => {
      const { subject: accounts } = opened();
      const stored = strangeTexts.map((text) => anAccount({ id: text, email: `${text}@example.org`, passwordHash: text }));
      for (const account of stored) expect(await accounts.add(account)).to.equal(true);
      for (const account of stored) {
        expect(await accounts.find(account.id)).to.deep.equal(account);
        expect(await accounts.findByEmail(account.email)).to.deep.equal(account);
      }
    });

    it('stores nothing under an address that is taken', async () => {
      const { subject: accounts } = opened();
      const account = anAccount();
      await accounts.add(account);
      const rival = anAccount({ email: account.email, passwordHash: 'another' });
      expect(await accounts.add(rival)).to.equal(false);
      expect(await accounts.find(rival.id)).to.equal(undefined);
      expect(await accounts.findByEmail(account.email)).to.deep.equal(account);
    });

    it('lets one of many have an address that ask for it at once', async () => {
      const { subject: accounts } = opened();
      const rivals = Array.from({ length: 20 }, () => anAccount({ email: 'ann@example.org' }));
      const others = Array.from({ length: 20 }, () => anAccount());
      const [won, stored] = await Promise.all([
        Promise.all(rivals.map((account) => accounts.add(account))),
        Promise.all(others.map((account) => accounts.add(account))),
      ]);
      expect(stored).to.not.include(false);
      const winners = rivals.filter((_, i) => won[i]);
      expect(winners).to.have.length(1);
      expect(await accounts.findByEmail('ann@example.org')).to.deep.equal(winners[0]);
      const found = await Promise.all(rivals.map(({ id }) => accounts.find(id)));
      expect(found.filter((account) => account !== undefined)).to.deep.equal(winners);
    });

    it('removes the account that is named and no other, and what is gone once more', async () => {
      const { subject: accounts } = opened();
      const [gone, kept] = [anAccount(), anAccount()];
      await accounts.add(gone);
      await accounts.add(kept);
      for (const id of [...unknownIds, gone.email, kept.email, gone.id, gone.id]) await accounts.remove(id);
      expect(await accounts.find(gone.id)).to.equal(undefined);
      expect(await accounts.findByEmail(gone.email)).to.equal(undefined);
      expect(await accounts.find(kept.id)).to.deep.equal(kept);
      expect(await accounts.findByEmail(kept.email)).to.deep.equal(kept);
    });

    it('gives the address of a removed account away anew', async () => {
      const { subject: accounts } = opened();
      const gone = anAccount();
      await accounts.add(gone);
      await accounts.remove(gone.id);
      const next = anAccount({ email: gone.email });
      expect(await accounts.add(next)).to.equal(true);
      expect(await accounts.findByEmail(gone.email)).to.deep.equal(next);
      expect(await accounts.find(gone.id)).to.equal(undefined);
    });

    it('keeps what was stored when objects outside change', async () => {
      const { subject: accounts } = opened();
      const account = anAccount();
      const given = { ...account };
      await accounts.add(given);
      spoil(given);
      expect(await accounts.find(account.id)).to.deep.equal(account);
      spoil(await accounts.find(account.id));
      spoil(await accounts.findByEmail(account.email));
      expect(await accounts.find(account.id)).to.deep.equal(account);
      expect(await accounts.findByEmail(account.email)).to.deep.equal(account);
    });

    describeWith('openSecond', opened, without, (second) => {
      it('shows there at once what happens here, and keeps addresses unique over both', async () => {
        const { subject: here } = opened();
        const there = await second();
        const account = anAccount();
        await here.add(account);
        expect(await there.find(account.id)).to.deep.equal(account);
        expect(await there.findByEmail(account.email)).to.deep.equal(account);
        expect(await there.add(anAccount({ email: account.email }))).to.equal(false);
        const rivals = Array.from({ length: 20 }, () => anAccount({ email: 'ann@example.org' }));
        const won = await Promise.all(rivals.map((rival, i) => (i % 2 === 0 ? here : there).add(rival)));
        expect(won.filter(Boolean)).to.have.length(1);
        await there.remove(account.id);
        expect(await here.find(account.id)).to.equal(undefined);
      });
    });

    describeWith('reopen', opened, without, (anew) => {
      it('still has every account', async () => {
        const account = anAccount();
        await opened().subject.add(account);
        const accounts = await anew();
        expect(await accounts.findByEmail(account.email)).to.deep.equal(account);
        expect(await accounts.add(anAccount({ email: account.email }))).to.equal(false);
      });
    });
  });

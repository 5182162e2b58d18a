import type { SessionRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { expectTypeError, modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { at, lookalikes, MANY, sampleId, strangeTexts, unknownIds } from '../kit/samples.ts';
import { sessionFaultCases } from './faults.ts';
import { aSession } from './samples.ts';
import { describeForgottenTokens } from './forgotten-tokens.ts';
import { describeRefreshTokens } from './refresh-tokens.ts';
import { describeFaults } from '../kit/fault-cases.ts';
import { describeWithTimeout } from '../kit/runner.ts';

/** Tests every promise of `SessionRepository`. */
export const describeSessionRepository = (name: string, open: Open<SessionRepository>, without: Without = {}): void => {
  describeWithTimeout(`${name}, a SessionRepository`, 30_000, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('finds a session with exactly its fields by id, expired or not', async (sessions) => {
      const stored = [
        aSession(),
        aSession({ expiresAt: 1, createdAt: 0 }),
        aSession({ accountId: 'account-2', expiresAt: at(7e9) }),
      ];
      for (const session of stored) await sessions.add(session);
      for (const session of stored) expect(await sessions.find(session.id)).to.deep.equal(session);
    });

    test('returns `undefined` for any other string', async (sessions) => {
      const session = aSession({ id: sampleId(1) });
      await sessions.add(session);
      for (const id of [...unknownIds, session.accountId, session.refreshTokenDigest, sampleId(2)]) {
        expect(await sessions.find(id), id).to.equal(undefined);
      }
    });

    test('stores any text unchanged', async (sessions) => {
      const stored = strangeTexts.map((text) => aSession({ id: text, accountId: text, refreshTokenDigest: text }));
      for (const session of stored) await sessions.add(session);
      for (const session of stored) expect(await sessions.find(session.id)).to.deep.equal(session);
    });

    test('throws a TypeError for a taken id and keeps the session that has it', async (sessions) => {
      const session = aSession();
      await sessions.add(session);
      await expectTypeError(() => sessions.add(aSession({ id: session.id, accountId: 'account-2' })));
      expect(await sessions.find(session.id)).to.deep.equal(session);
    });

    test('ends only the session with the given id; ending it again succeeds', async (sessions) => {
      const [gone, kept] = [aSession(), aSession()];
      await sessions.add(gone);
      await sessions.add(kept);
      for (const id of [...unknownIds, 'account-1', gone.id, gone.id]) await sessions.remove(id);
      expect(await sessions.find(gone.id)).to.equal(undefined);
      expect(await sessions.find(kept.id)).to.deep.equal(kept);
    });

    test('ends all sessions of one account and of no other account', async (sessions) => {
      const mine = [aSession(), aSession({ expiresAt: at(1) }), aSession()];
      const theirs = [
        aSession({ accountId: 'account-2' }),
        aSession({ accountId: 'account-11' }),
        ...strangeTexts.map((accountId) => aSession({ accountId })),
      ];
      for (const session of [...mine, ...theirs]) await sessions.add(session);
      await sessions.removeAllOf('account-1');
      await sessions.removeAllOf('account-1');
      await sessions.removeAllOf('nobody');
      for (const session of mine) expect(await sessions.find(session.id)).to.equal(undefined);
      for (const session of theirs) expect(await sessions.find(session.id)).to.deep.equal(session);
    });

    test('does not end sessions of an account with a similar id', async (sessions) => {
      const stored = lookalikes.map((accountId) => aSession({ accountId }));
      for (const session of stored) await sessions.add(session);
      for (const [i, { accountId }] of stored.entries()) {
        await sessions.removeAllOf(accountId);
        for (const [j, session] of stored.entries())
          expect(await sessions.find(session.id)).to.deep.equal(j > i ? session : undefined);
      }
    });

    test('lets exactly one of several concurrent sessions have an id', async (sessions) => {
      const candidates = Array.from({ length: 10 }, (_, i) => aSession({ id: sampleId(1), accountId: `account-${i}` }));
      const results = await Promise.allSettled(candidates.map((candidate) => sessions.add(candidate)));
      for (const result of results) if (result.status === 'rejected') expect(result.reason).to.be.instanceOf(TypeError);
      const winners = candidates.filter((_, i) => results[i]?.status === 'fulfilled');
      expect(winners).to.have.length(1);
      expect(await sessions.find(sampleId(1))).to.deep.equal(winners[0]);
    });

    test('ends every one of many sessions of an account and removes every one of many expired sessions', async (sessions) => {
      const many = Array.from({ length: MANY }, () => aSession());
      const expired = Array.from({ length: MANY }, () => aSession({ accountId: 'account-2', expiresAt: at(10) }));
      await Promise.all([...many, ...expired].map((session) => sessions.add(session)));
      await sessions.removeAllOf('account-1', many[0]?.id);
      expect(
        (await Promise.all(many.map(({ id }) => sessions.find(id)))).filter((session) => session !== undefined),
      ).to.deep.equal(many.slice(0, 1));
      expect(await sessions.removeExpired(at(10)), 'number removed').to.equal(MANY);
      expect(
        (await Promise.all(expired.map(({ id }) => sessions.find(id)))).filter((session) => session !== undefined),
      ).to.deep.equal([]);
    });

    test('keeps the excepted session when it ends all sessions of an account', async (sessions) => {
      const [excepted, ...ended] = [aSession({ id: '' }), aSession(), aSession()];
      const theirs = aSession({ accountId: 'account-2' });
      for (const session of [excepted, ...ended, theirs]) await sessions.add(session);
      await sessions.removeAllOf('account-1', excepted.id);
      for (const session of ended) expect(await sessions.find(session.id)).to.equal(undefined);
      expect(await sessions.find(excepted.id)).to.deep.equal(excepted);
      await sessions.removeAllOf('account-1', theirs.id);
      expect(await sessions.find(excepted.id)).to.equal(undefined);
      expect(await sessions.find(theirs.id)).to.deep.equal(theirs);
      for (const exceptId of unknownIds) {
        const session = aSession();
        await sessions.add(session);
        await sessions.removeAllOf('account-1', exceptId);
        expect(await sessions.find(session.id), exceptId).to.equal(undefined);
      }
    });

    test('removes expired sessions, exact to the microsecond, and returns their number', async (sessions) => {
      const expired = [
        aSession({ expiresAt: at(10) }),
        aSession({ expiresAt: at(10) - 1, accountId: 'account-2' }),
        aSession({ expiresAt: 1 }),
      ];
      const valid = [aSession({ expiresAt: at(10) + 1 }), aSession({ expiresAt: at(20) })];
      for (const session of [...expired, ...valid]) await sessions.add(session);
      expect(await sessions.removeExpired(0), 'number removed').to.equal(0);
      expect(await sessions.removeExpired(at(10)), 'number removed').to.equal(3);
      expect(await sessions.removeExpired(at(10)), 'number removed').to.equal(0);
      for (const session of expired) expect(await sessions.find(session.id)).to.equal(undefined);
      for (const session of valid) expect(await sessions.find(session.id)).to.deep.equal(session);
    });

    test('is not affected when the caller modifies given or returned objects', async (sessions) => {
      const session = aSession();
      const given = { ...session };
      await sessions.add(given);
      modifyDeeply(given);
      expect(await sessions.find(session.id)).to.deep.equal(session);
      modifyDeeply(await sessions.find(session.id));
      expect(await sessions.find(session.id)).to.deep.equal(session);
    });

    describeWith('openSecond', opened, without, (second) => {
      test('sees every change of the first handle at once', async (here) => {
        const there = await second();
        const [one, two] = [aSession(), aSession()];
        await here.add(one);
        await here.add(two);
        expect(await there.find(one.id)).to.deep.equal(one);
        await here.remove(one.id);
        expect(await there.find(one.id)).to.equal(undefined);
        await there.removeAllOf('account-1');
        expect(await here.find(two.id)).to.equal(undefined);
        await here.add(one);
        await expectTypeError(() => there.add(one));
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      it('has every session', async () => {
        const session = aSession();
        await opened().subject.add(session);
        expect(await (await reopen()).find(session.id)).to.deep.equal(session);
      });
    });

    describeFaults(opened, without, (subject) => subject, sessionFaultCases);
  });
  describeRefreshTokens(name, open, without);
  describeForgottenTokens(name, open);
};

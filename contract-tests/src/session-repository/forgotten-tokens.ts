import type { SessionRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { openForEach, testsOf, type Open } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { at, sampleDigest } from '../kit/samples.ts';
import { addRotated, rotatedSession, aRotation, expectToFindNone, aSession } from './samples.ts';

/** Tests when a store removes refresh tokens. */
export const describeForgottenTokens = (name: string, open: Open<SessionRepository>): void =>
  describeWithTimeout(`${name}, forgotten refresh tokens`, 60_000, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('forgets all tokens of a session that ends, and no token of another session', async (sessions) => {
      const moments = [at(1), at(2)];
      const kept = await addRotated(sessions, aSession({ accountId: 'account-2' }), moments);
      const first = aSession({ expiresAt: at(7200) });
      const ends: readonly (() => Promise<unknown>)[] = [
        () => sessions.remove(first.id),
        () => sessions.removeAllOf('account-1'),
        () => sessions.removeAllOf('account-1', kept.session.id),
      ];
      for (const end of ends) {
        const { session, used } = await addRotated(sessions, { ...first, refreshTokenDigest: sampleDigest() }, moments);
        await end();
        await expectToFindNone(sessions, [...used, session.refreshTokenDigest]);
        // The old tokens must not lead to a new session with the same id.
        const next = aSession({ id: first.id });
        await sessions.add(next);
        await expectToFindNone(sessions, [...used, session.refreshTokenDigest]);
        await sessions.remove(next.id);
      }
      for (const [i, digest] of kept.used.entries()) {
        expect(await sessions.findByRefreshToken(digest)).to.deep.equal({ session: kept.session, usedAt: moments[i] });
      }
    });

    test('keeps the tokens of the excepted session when all others of the account end', async (sessions) => {
      const excepted = await addRotated(sessions, aSession(), [at(1), at(2)]);
      const ended = await addRotated(sessions, aSession(), [at(1)]);
      await sessions.removeAllOf('account-1', excepted.session.id);
      await expectToFindNone(sessions, [...ended.used, ended.session.refreshTokenDigest]);
      for (const digest of [...excepted.used, excepted.session.refreshTokenDigest]) {
        expect((await sessions.findByRefreshToken(digest))?.session).to.deep.equal(excepted.session);
      }
    });

    test('forgets a used token at the expiry that its session had before the rotation, exact to the microsecond', async (sessions) => {
      const session = aSession({ expiresAt: at(10) });
      const second = aRotation(session, { usedAt: at(1), expiresAt: at(30) });
      const third = aRotation(rotatedSession(session, second), { usedAt: at(2), expiresAt: at(100) });
      await sessions.add(session);
      await sessions.rotate(session.id, second);
      await sessions.rotate(session.id, third);
      const rotated = rotatedSession(session, third);
      const expectAt = async (now: number, removed: number, known: readonly string[], forgotten: readonly string[]) => {
        expect(await sessions.removeExpired(now), 'number removed').to.equal(removed);
        for (const digest of known) expect((await sessions.findByRefreshToken(digest))?.session).to.deep.equal(rotated);
        await expectToFindNone(sessions, forgotten);
      };
      await expectAt(at(10) - 1, 0, [second.from, second.to, third.to], []);
      await expectAt(at(10), 0, [second.to, third.to], [second.from]);
      await expectAt(at(30) - 1, 0, [second.to, third.to], [second.from]);
      expect(await sessions.findByRefreshToken(second.to)).to.deep.equal({ session: rotated, usedAt: at(2) });
      await expectAt(at(30), 0, [third.to], [second.from, second.to]);
      expect(await sessions.find(session.id)).to.deep.equal(rotated);
      await expectAt(at(100), 1, [], [second.from, second.to, third.to]);
    });

    test('forgets all tokens of an expired session, even those with a later expiry', async (sessions) => {
      const session = aSession({ expiresAt: at(100) });
      const rotation = aRotation(session, { expiresAt: at(20) });
      await sessions.add(session);
      await sessions.rotate(session.id, rotation);
      expect(await sessions.removeExpired(at(20) - 1), 'number removed').to.equal(0);
      expect((await sessions.findByRefreshToken(rotation.from))?.usedAt).to.equal(rotation.usedAt);
      expect(await sessions.removeExpired(at(20)), 'number removed').to.equal(1);
      await expectToFindNone(sessions, [rotation.from, rotation.to]);
    });
  });

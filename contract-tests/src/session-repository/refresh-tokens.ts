import type { SessionRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { at, sampleDigest, sampleId, strangeTexts, unknownIds } from '../kit/samples.ts';
import { addRotated, rotatedSession, aRotation, expectToFindNone, aSession } from './samples.ts';

/** Tests finding and rotating refresh tokens. */
export const describeRefreshTokens = (name: string, open: Open<SessionRepository>, without: Without): void =>
  void describe(`${name}, refresh tokens`, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('finds a session by its current token, expired or not', async (sessions) => {
      const stored = [aSession(), aSession({ createdAt: 0, expiresAt: 1 }), aSession({ accountId: 'account-2' })];
      for (const session of stored) await sessions.add(session);
      for (const session of stored) {
        expect(await sessions.findByRefreshToken(session.refreshTokenDigest)).to.deep.equal({
          session,
          usedAt: undefined,
        });
      }
    });

    test('returns `undefined` for any other string', async (sessions) => {
      const session = aSession({ refreshTokenDigest: `ab${sampleDigest().slice(2)}` });
      for (const refreshTokenDigest of ['\ufffd', 'a\ufffdb']) await sessions.add(aSession({ refreshTokenDigest }));
      const { session: rotated, used } = await addRotated(sessions, session, [at(1)]);
      const near = [session.refreshTokenDigest, rotated.refreshTokenDigest].flatMap((digest) => [
        digest.toUpperCase(),
        digest.slice(0, -1),
        `${digest} `,
        `${digest}\0`,
        `${digest.slice(0, 32)}%`,
      ]);
      await expectToFindNone(sessions, [...unknownIds, ...near, session.id, session.accountId, sampleDigest()]);
      expect(used).to.deep.equal([session.refreshTokenDigest]);
    });

    test('rotates the token, sets the expiry and changes nothing else', async (sessions) => {
      for (const given of [{}, { usedAt: 0 }, { expiresAt: at(20) + 1 }, { usedAt: at(1) + 1, expiresAt: at(7e9) }]) {
        const session = aSession({ createdAt: at(1) + 1 });
        const rotation = aRotation(session, given);
        await sessions.add(session);
        expect(await sessions.rotate(session.id, rotation)).to.equal(true);
        const rotated = rotatedSession(session, rotation);
        expect(await sessions.find(session.id)).to.deep.equal(rotated);
        expect(await sessions.findByRefreshToken(rotation.to)).to.deep.equal({ session: rotated, usedAt: undefined });
        expect(await sessions.findByRefreshToken(rotation.from)).to.deep.equal({
          session: rotated,
          usedAt: rotation.usedAt,
        });
      }
    });

    test('rotates the token of a session that has expired', async (sessions) => {
      const session = aSession({ createdAt: 0, expiresAt: 1 });
      await sessions.add(session);
      expect(await sessions.rotate(session.id, aRotation(session))).to.equal(true);
    });

    test('remembers when each used token was used', async (sessions) => {
      const moments = [at(1), at(2) + 1, at(2) + 2, at(2) + 2, at(50)];
      const { session, used } = await addRotated(sessions, aSession(), moments);
      for (const [i, digest] of used.entries()) {
        expect(await sessions.findByRefreshToken(digest), `token ${i}`).to.deep.equal({ session, usedAt: moments[i] });
      }
      expect(await sessions.findByRefreshToken(session.refreshTokenDigest)).to.deep.equal({
        session,
        usedAt: undefined,
      });
    });

    test('returns `false` and changes nothing if `from` is not the current token or the session does not exist', async (sessions) => {
      const mine = await addRotated(sessions, aSession(), [at(1), at(2)]);
      const theirs = await addRotated(sessions, aSession(), [at(3)]);
      const gone = aSession();
      await sessions.add(gone);
      await sessions.remove(gone.id);
      const { session } = mine;
      const digest = session.refreshTokenDigest;
      const wrong = [
        ...mine.used,
        ...theirs.used,
        theirs.session.refreshTokenDigest,
        digest.toUpperCase(),
        digest.slice(0, 63),
        `${digest}\0`,
        sampleDigest(),
        ...unknownIds,
      ];
      const to = sampleDigest();
      for (const from of wrong) {
        expect(await sessions.rotate(session.id, aRotation(session, { from, to })), from).to.equal(false);
      }
      for (const id of [...unknownIds, theirs.session.id, session.accountId, sampleId()]) {
        expect(await sessions.rotate(id, aRotation(session, { to })), id).to.equal(false);
      }
      expect(await sessions.rotate(gone.id, aRotation(gone, { to }))).to.equal(false);
      const strange = aSession({ refreshTokenDigest: '\ufffd' });
      await sessions.add(strange);
      expect(await sessions.rotate(strange.id, aRotation(strange, { from: '\ud800', to }))).to.equal(false);
      await expectToFindNone(sessions, [to, gone.refreshTokenDigest]);
      expect(await sessions.find(gone.id)).to.equal(undefined);
      for (const [one, moments] of [
        [mine, [at(1), at(2)]],
        [theirs, [at(3)]],
      ] as const) {
        expect(await sessions.find(one.session.id)).to.deep.equal(one.session);
        expect(await sessions.findByRefreshToken(one.session.refreshTokenDigest)).to.deep.equal({
          session: one.session,
          usedAt: undefined,
        });
        for (const [i, each] of one.used.entries()) {
          expect(await sessions.findByRefreshToken(each)).to.deep.equal({ session: one.session, usedAt: moments[i] });
        }
      }
    });

    test('lets exactly one of 50 concurrent rotations succeed and stores nothing of the others', async (sessions) => {
      const session = aSession();
      await sessions.add(session);
      const rotations = Array.from({ length: 50 }, (_, i) =>
        aRotation(session, { usedAt: at(i), expiresAt: at(1000 + i) }),
      );
      const won = await Promise.all(rotations.map((rotation) => sessions.rotate(session.id, rotation)));
      const [winner, ...others] = rotations.filter((_, i) => won[i]);
      if (winner === undefined) throw new Error('No rotation succeeded');
      expect(others).to.deep.equal([]);
      const rotated = rotatedSession(session, winner);
      expect(await sessions.find(session.id)).to.deep.equal(rotated);
      expect(await sessions.findByRefreshToken(winner.to)).to.deep.equal({ session: rotated, usedAt: undefined });
      expect(await sessions.findByRefreshToken(winner.from)).to.deep.equal({ session: rotated, usedAt: winner.usedAt });
      await expectToFindNone(
        sessions,
        rotations.filter((_, i) => !won[i]).map(({ to }) => to),
      );
    });

    test('does not restore a session that ends during a rotation', async (sessions) => {
      for (let round = 0; round < 10; round++) {
        const session = aSession();
        const rotation = aRotation(session);
        await sessions.add(session);
        await Promise.all([sessions.rotate(session.id, rotation), sessions.remove(session.id)]);
        expect(await sessions.find(session.id)).to.equal(undefined);
        await expectToFindNone(sessions, [rotation.from, rotation.to]);
      }
    });

    test('stores any text unchanged', async (sessions) => {
      for (const text of strangeTexts) {
        const session = aSession({ id: text, accountId: text, refreshTokenDigest: text });
        const rotation = aRotation(session, { to: `${text} next` });
        await sessions.add(session);
        expect(await sessions.rotate(text, rotation)).to.equal(true);
      }
      for (const text of strangeTexts) {
        const session = aSession({
          id: text,
          accountId: text,
          refreshTokenDigest: `${text} next`,
          expiresAt: at(7200),
        });
        expect(await sessions.findByRefreshToken(text), text).to.deep.equal({ session, usedAt: at(10) });
        expect(await sessions.findByRefreshToken(`${text} next`), text).to.deep.equal({ session, usedAt: undefined });
      }
    });

    test('is not affected when the caller modifies given or returned objects', async (sessions) => {
      const session = aSession();
      const rotation = aRotation(session);
      const given = { ...rotation };
      await sessions.add(session);
      await sessions.rotate(session.id, given);
      modifyDeeply(given);
      const rotated = rotatedSession(session, rotation);
      for (const [digest, usedAt] of [
        [rotation.to, undefined],
        [rotation.from, rotation.usedAt],
      ] as const) {
        modifyDeeply(await sessions.findByRefreshToken(digest));
        expect(await sessions.findByRefreshToken(digest)).to.deep.equal({ session: rotated, usedAt });
      }
      expect(await sessions.find(session.id)).to.deep.equal(rotated);
    });

    describeWith('openSecond', opened, without, (second) => {
      test('lets exactly one of 50 concurrent rotations on both handles succeed; both see it at once', async (here) => {
        const there = await second();
        const session = aSession();
        await here.add(session);
        const rotations = Array.from({ length: 50 }, (_, i) => aRotation(session, { usedAt: at(i) }));
        const won = await Promise.all(
          rotations.map((rotation, i) => (i % 2 === 0 ? here : there).rotate(session.id, rotation)),
        );
        const [winner, ...others] = rotations.filter((_, i) => won[i]);
        if (winner === undefined) throw new Error('No rotation succeeded');
        expect(others).to.deep.equal([]);
        const rotated = rotatedSession(session, winner);
        for (const handle of [here, there]) {
          expect(await handle.findByRefreshToken(winner.to)).to.deep.equal({ session: rotated, usedAt: undefined });
          expect(await handle.findByRefreshToken(winner.from)).to.deep.equal({
            session: rotated,
            usedAt: winner.usedAt,
          });
        }
        expect(await there.rotate(session.id, aRotation(session))).to.equal(false);
        await there.remove(session.id);
        await expectToFindNone(here, [winner.from, winner.to]);
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      it('finds the session by its current token and by every used one', async () => {
        const { session, used } = await addRotated(opened().subject, aSession(), [at(1), at(2)]);
        const sessions = await reopen();
        expect(await sessions.findByRefreshToken(session.refreshTokenDigest)).to.deep.equal({
          session,
          usedAt: undefined,
        });
        for (const [i, digest] of used.entries()) {
          expect(await sessions.findByRefreshToken(digest)).to.deep.equal({ session, usedAt: at(i + 1) });
        }
        expect(await sessions.rotate(session.id, aRotation(session))).to.equal(true);
      });
    });
  });

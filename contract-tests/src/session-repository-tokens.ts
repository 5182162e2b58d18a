import type { Rotation, Session, SessionRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { spoil } from './expectations.ts';
import { describeWith, openForEach, type Open, type Without } from './harness.ts';
import { aSession, at, sampleDigest, sampleId, strangeTexts, unknownIds } from './samples.ts';

/** The replacement of the session's token by one that no sample had before, at `at(10)`; state only what matters. */
const aRotation = (session: Session, given: Partial<Rotation> = {}): Rotation => ({
  from: session.refreshTokenDigest,
  to: sampleDigest(),
  usedAt: at(10),
  expiresAt: at(7200),
  ...given,
});

const after = (session: Session, { to, expiresAt }: Rotation): Session => ({ ...session, refreshTokenDigest: to, expiresAt });

/** Stores a session and rotates its token at each of the moments given. Gives the session then, and the digests used up. */
const addRotated = async (
  sessions: SessionRepository,
  first: Session,
  moments: readonly number[],
): Promise<{ readonly session: Session; readonly used: readonly string[] }> => {
  await sessions.add(first);
  let session = first;
  const used: string[] = [];
  for (const usedAt of moments) {
    const rotation = aRotation(session, { usedAt });
    expect(await sessions.rotate(session.id, rotation)).to.equal(true);
    used.push(rotation.from);
    session = after(session, rotation);
  }
  return { session, used };
};

const expectToFindNone = async (sessions: SessionRepository, digests: readonly string[]): Promise<void> => {
  for (const digest of digests) expect(await sessions.findByRefreshToken(digest), digest).to.equal(undefined);
};

/** Refresh tokens: found, rotated one by one, forgotten with their session or after their time. */
export const describeRefreshTokens = (name: string, open: Open<SessionRepository>, without: Without): void =>
  void describe(`The refresh tokens of ${name}`, () => {
    const opened = openForEach(open);

    it('leads from the token in force to its session, expired or not', async () => {
      const { subject: sessions } = opened();
      const stored = [aSession(), aSession({ createdAt: 0, expiresAt: 1 }), aSession({ accountId: 'account-2' })];
      for (const session of stored) await sessions.add(session);
      for (const session of stored) {
        expect(await sessions.findByRefreshToken(session.refreshTokenDigest)).to.deep.equal({ session, usedAt: undefined });
      }
    });

    it('leads from no other string to a session', async () => {
      const { subject: sessions } = opened();
      const session = aSession({ refreshTokenDigest: `ab${sampleDigest().slice(2)}` });
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

    it('puts one token in place of another and sets the expiry, and changes nothing else', async () => {
      const { subject: sessions } = opened();
      for (const given of [{}, { usedAt: 0 }, { expiresAt: at(20) + 1 }, { usedAt: at(1) + 1, expiresAt: at(7e9) }]) {
        const session = aSession({ createdAt: at(1) + 1 });
        const rotation = aRotation(session, given);
        await sessions.add(session);
        expect(await sessions.rotate(session.id, rotation)).to.equal(true);
        const rotated = after(session, rotation);
        expect(await sessions.find(session.id)).to.deep.equal(rotated);
        expect(await sessions.findByRefreshToken(rotation.to)).to.deep.equal({ session: rotated, usedAt: undefined });
        expect(await sessions.findByRefreshToken(rotation.from)).to.deep.equal({ session: rotated, usedAt: rotation.usedAt });
      }
    });

    it('rotates the token of a session that has expired', async () => {
      const { subject: sessions } = opened();
      const session = aSession({ createdAt: 0, expiresAt: 1 });
      await sessions.add(session);
      expect(await sessions.rotate(session.id, aRotation(session))).to.equal(true);
    });

    it('remembers of every used-up token when that was', async () => {
      const { subject: sessions } = opened();
      const moments = [at(1), at(2) + 1, at(2) + 2, at(2) + 2, at(50)];
      const { session, used } = await addRotated(sessions, aSession(), moments);
      for (const [i, digest] of used.entries()) {
        expect(await sessions.findByRefreshToken(digest), `token ${i}`).to.deep.equal({ session, usedAt: moments[i] });
      }
      expect(await sessions.findByRefreshToken(session.refreshTokenDigest)).to.deep.equal({ session, usedAt: undefined });
    });

    it('changes nothing where the token is not the one in force, or the session is gone', async () => {
      const { subject: sessions } = opened();
      const mine = await addRotated(sessions, aSession(), [at(1), at(2)]);
      const theirs = await addRotated(sessions, aSession(), [at(3)]);
      const gone = aSession();
      await sessions.add(gone);
      await sessions.remove(gone.id);
      const { session } = mine;
      const digest = session.refreshTokenDigest;
      const wrong = [...mine.used, ...theirs.used, theirs.session.refreshTokenDigest, digest.toUpperCase(), digest.slice(0, 63), `${digest}\0`, sampleDigest(), ...unknownIds];
      const to = sampleDigest();
      for (const from of wrong) {
        expect(await sessions.rotate(session.id, aRotation(session, { from, to })), from).to.equal(false);
      }
      for (const id of [...unknownIds, theirs.session.id, session.accountId, sampleId()]) {
        expect(await sessions.rotate(id, aRotation(session, { to })), id).to.equal(false);
      }
      expect(await sessions.rotate(gone.id, aRotation(gone, { to }))).to.equal(false);
      await expectToFindNone(sessions, [to, gone.refreshTokenDigest]);
      expect(await sessions.find(gone.id)).to.equal(undefined);
      for (const [one, moments] of [[mine, [at(1), at(2)]], [theirs, [at(3)]]] as const) {
        expect(await sessions.find(one.session.id)).to.deep.equal(one.session);
        expect(await sessions.findByRefreshToken(one.session.refreshTokenDigest)).to.deep.equal({ session: one.session, usedAt: undefined });
        for (const [i, each] of one.used.entries()) {
          expect(await sessions.findByRefreshToken(each)).to.deep.equal({ session: one.session, usedAt: moments[i] });
        }
      }
    });

    it('lets one of fifty win that use a token up at once, and keeps nothing of the others', async () => {
      const { subject: sessions } = opened();
      const session = aSession();
      await sessions.add(session);
      const rotations = Array.from({ length: 50 }, (_, i) => aRotation(session, { usedAt: at(i), expiresAt: at(1000 + i) }));
      const won = await Promise.all(rotations.map((rotation) => sessions.rotate(session.id, rotation)));
      const [winner, ...others] = rotations.filter((_, i) => won[i]);
      if (winner === undefined) throw new Error('Nobody won');
      expect(others).to.deep.equal([]);
      const rotated = after(session, winner);
      expect(await sessions.find(session.id)).to.deep.equal(rotated);
      expect(await sessions.findByRefreshToken(winner.to)).to.deep.equal({ session: rotated, usedAt: undefined });
      expect(await sessions.findByRefreshToken(winner.from)).to.deep.equal({ session: rotated, usedAt: winner.usedAt });
      await expectToFindNone(sessions, rotations.filter((_, i) => !won[i]).map(({ to }) => to));
    });

    it('does not bring a session back that is ended meanwhile', async () => {
      const { subject: sessions } = opened();
      for (let round = 0; round < 10; round++) {
        const session = aSession();
        const rotation = aRotation(session);
        await sessions.add(session);
        await Promise.all([sessions.rotate(session.id, rotation), sessions.remove(session.id)]);
        expect(await sessions.find(session.id)).to.equal(undefined);
        await expectToFindNone(sessions, [rotation.from, rotation.to]);
      }
    });

    it('keeps any text as it is', async () => {
      const { subject: sessions } = opened();
      for (const text of strangeTexts) {
        const session = aSession({ id: text, accountId: text, refreshTokenDigest: text });
        const rotation = aRotation(session, { to: `${text} next` });
        await sessions.add(session);
        expect(await sessions.rotate(text, rotation)).to.equal(true);
      }
      for (const text of strangeTexts) {
        const session = aSession({ id: text, accountId: text, refreshTokenDigest: `${text} next`, expiresAt: at(7200) });
        expect(await sessions.findByRefreshToken(text), text).to.deep.equal({ session, usedAt: at(10) });
        expect(await sessions.findByRefreshToken(`${text} next`), text).to.deep.equal({ session, usedAt: undefined });
      }
    });

    it('forgets all tokens of a session that ends, for good, and none of another', async () => {
      const { subject: sessions } = opened();
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
        // A new session under the same id has no part in the old tokens.
        const next = aSession({ id: first.id });
        await sessions.add(next);
        await expectToFindNone(sessions, [...used, session.refreshTokenDigest]);
        await sessions.remove(next.id);
      }
      for (const [i, digest] of kept.used.entries()) {
        expect(await sessions.findByRefreshToken(digest)).to.deep.equal({ session: kept.session, usedAt: moments[i] });
      }
    });

    it('keeps the tokens of the session that is spared when all others of an account end', async () => {
      const { subject: sessions } = opened();
      const spared = await addRotated(sessions, aSession(), [at(1), at(2)]);
      const ended = await addRotated(sessions, aSession(), [at(1)]);
      await sessions.removeAllOf('account-1', spared.session.id);
      await expectToFindNone(sessions, [...ended.used, ended.session.refreshTokenDigest]);
      for (const digest of [...spared.used, spared.session.refreshTokenDigest]) {
        expect((await sessions.findByRefreshToken(digest))?.session).to.deep.equal(spared.session);
      }
    });

    it('forgets a used-up token when its session would have expired had it not been used, to the microsecond', async () => {
      const { subject: sessions } = opened();
      const session = aSession({ expiresAt: at(10) });
      const second = aRotation(session, { usedAt: at(1), expiresAt: at(30) });
      const third = aRotation(after(session, second), { usedAt: at(2), expiresAt: at(100) });
      await sessions.add(session);
      await sessions.rotate(session.id, second);
      await sessions.rotate(session.id, third);
      const rotated = after(session, third);
      const expectAt = async (now: number, removed: number, known: readonly string[], forgotten: readonly string[]) => {
        expect(await sessions.removeExpired(now), 'sessions removed').to.equal(removed);
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

    it('forgets all tokens of a session that expires, even those that would have lasted longer', async () => {
      const { subject: sessions } = opened();
      const session = aSession({ expiresAt: at(100) });
      const rotation = aRotation(session, { expiresAt: at(20) });
      await sessions.add(session);
      await sessions.rotate(session.id, rotation);
      expect(await sessions.removeExpired(at(20) - 1)).to.equal(0);
      expect((await sessions.findByRefreshToken(rotation.from))?.usedAt).to.equal(rotation.usedAt);
      expect(await sessions.removeExpired(at(20))).to.equal(1);
      await expectToFindNone(sessions, [rotation.from, rotation.to]);
    });

    it('keeps what was stored when objects outside change', async () => {
      const { subject: sessions } = opened();
      const session = aSession();
      const rotation = aRotation(session);
      const given = { ...rotation };
      await sessions.add(session);
      await sessions.rotate(session.id, given);
      spoil(given);
      const rotated = after(session, rotation);
      for (const [digest, usedAt] of [[rotation.to, undefined], [rotation.from, rotation.usedAt]] as const) {
        spoil(await sessions.findByRefreshToken(digest));
        expect(await sessions.findByRefreshToken(digest)).to.deep.equal({ session: rotated, usedAt });
      }
      expect(await sessions.find(session.id)).to.deep.equal(rotated);
    });

    describeWith('openSecond', opened, without, (second) => {
      it('lets one of fifty win over both, and shows it to both at once', async () => {
        const { subject: here } = opened();
        const there = await second();
        const session = aSession();
        await here.add(session);
        const rotations = Array.from({ length: 50 }, (_, i) => aRotation(session, { usedAt: at(i) }));
        const won = await Promise.all(rotations.map((rotation, i) => (i % 2 === 0 ? here : there).rotate(session.id, rotation)));
        const [winner, ...others] = rotations.filter((_, i) => won[i]);
        if (winner === undefined) throw new Error('Nobody won');
        expect(others).to.deep.equal([]);
        const rotated = after(session, winner);
        for (const handle of [here, there]) {
          expect(await handle.findByRefreshToken(winner.to)).to.deep.equal({ session: rotated, usedAt: undefined });
          expect(await handle.findByRefreshToken(winner.from)).to.deep.equal({ session: rotated, usedAt: winner.usedAt });
        }
        expect(await there.rotate(session.id, aRotation(session))).to.equal(false);
        await there.remove(session.id);
        await expectToFindNone(here, [winner.from, winner.to]);
      });
    });

    describeWith('reopen', opened, without, (anew) => {
      it('still knows every token, in force and used up', async () => {
        const { session, used } = await addRotated(opened().subject, aSession(), [at(1), at(2)]);
        const sessions = await anew();
        expect(await sessions.findByRefreshToken(session.refreshTokenDigest)).to.deep.equal({ session, usedAt: undefined });
        for (const [i, digest] of used.entries()) {
          expect(await sessions.findByRefreshToken(digest)).to.deep.equal({ session, usedAt: at(i + 1) });
        }
        expect(await sessions.rotate(session.id, aRotation(session))).to.equal(true);
      });
    });
  });

import type { Rotation, Session, SessionRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { at, sampleDigest, sampleId } from '../kit/samples.ts';

/** A session with a new refresh token that expires at `at(3600)`. */
export const aSession = (given: Partial<Session> = {}): Session => ({
  id: sampleId(),
  accountId: 'account-1',
  refreshTokenDigest: sampleDigest(),
  createdAt: at(0),
  expiresAt: at(3600),
  ...given,
});

/** A rotation of the session's token to a new one at `at(10)`. State only the fields that matter. */
export const aRotation = (session: Session, given: Partial<Rotation> = {}): Rotation => ({
  from: session.refreshTokenDigest,
  to: sampleDigest(),
  usedAt: at(10),
  expiresAt: at(7200),
  ...given,
});

/** The session after the rotation. */
export const rotatedSession = (session: Session, { to, expiresAt }: Rotation): Session => ({
  ...session,
  refreshTokenDigest: to,
  expiresAt,
});

/** Stores a session and rotates its token at each of the given times. Returns the session and the used digests. */
export const addRotated = async (
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
    session = rotatedSession(session, rotation);
  }
  return { session, used };
};

/** Fails if one of the digests leads to a session. */
export const expectToFindNone = async (sessions: SessionRepository, digests: readonly string[]): Promise<void> => {
  for (const digest of digests) {
    expect(
      await sessions.findByRefreshToken(digest),
      `session of the token ${JSON.stringify(digest.slice(0, 80))}`,
    ).to.equal(undefined);
  }
};

import type { SessionRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { openForEach, testsOf, type Open } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { at } from '../kit/samples.ts';
import { addRotated, aRotation, aSession } from './samples.ts';

/** Tests `SessionRepository` with a thousand rotations: call it from a slow test. */
export const describeLongSessionRepository = (name: string, open: Open<SessionRepository>): void =>
  describeWithTimeout(`${name}, a SessionRepository, with many refresh tokens`, 300_000, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('remembers the newest 1,000 used tokens of a session', async (sessions) => {
      const moments = Array.from({ length: 1000 }, (_, i) => at(i));
      const { session, used } = await addRotated(sessions, aSession(), moments);
      const found = await Promise.all(used.map((digest) => sessions.findByRefreshToken(digest)));
      expect(found.map((each) => each?.usedAt)).to.deep.equal(moments);
      expect(await sessions.rotate(session.id, aRotation(session, { from: used[0] ?? '' }))).to.equal(false);
    });
  });

import type { SessionRepository } from '@palimpsest/core';
import { type FaultCase, threw } from '../kit/fault-cases.ts';
import { at } from '../kit/samples.ts';
import { aSession } from './samples.ts';

const session = aSession();
const other = aSession();
const rotation = { from: session.refreshTokenDigest, to: 'digest-of-the-next', usedAt: at(1), expiresAt: at(7200) };
const rotated = { ...session, refreshTokenDigest: rotation.to, expiresAt: at(7200) };

export const sessionFaultCases: readonly FaultCase<SessionRepository>[] = [
  {
    title: 'add',
    prepare: (sessions) => sessions.add(session),
    call: (sessions) => sessions.add(other),
    firstOutcome: undefined,
    repeatOutcomes: [threw('TypeError')],
    readState: async (sessions) => [await sessions.find(session.id), await sessions.find(other.id)],
    stateBefore: [session, undefined],
    stateAfter: [session, other],
  },
  {
    title: 'rotate',
    prepare: (sessions) => sessions.add(session),
    call: (sessions) => sessions.rotate(session.id, rotation),
    firstOutcome: true,
    repeatOutcomes: [false],
    readState: async (sessions) => [
      await sessions.findByRefreshToken(rotation.from),
      await sessions.findByRefreshToken(rotation.to),
    ],
    stateAfter: [
      { session: rotated, usedAt: at(1) },
      { session: rotated, usedAt: undefined },
    ],
  },
  {
    title: 'findByRefreshToken',
    prepare: (sessions) => sessions.add(session),
    call: (sessions) => sessions.findByRefreshToken(session.refreshTokenDigest),
    firstOutcome: { session, usedAt: undefined },
    readState: (sessions) => sessions.find(session.id),
    stateBefore: session,
    stateAfter: session,
  },
  {
    title: 'remove',
    prepare: async (sessions) => {
      await sessions.add(session);
      await sessions.add(other);
    },
    call: (sessions) => sessions.remove(session.id),
    firstOutcome: undefined,
    readState: async (sessions) => [await sessions.find(session.id), await sessions.find(other.id)],
    stateBefore: [session, other],
    stateAfter: [undefined, other],
  },
];

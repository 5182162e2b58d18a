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
    what: 'add',
    prepare: (sessions) => sessions.add(session),
    call: (sessions) => sessions.add(other),
    first: undefined,
    again: [threw('TypeError')],
    look: async (sessions) => [await sessions.find(session.id), await sessions.find(other.id)],
    before: [session, undefined],
    after: [session, other],
  },
  {
    what: 'rotate',
    prepare: (sessions) => sessions.add(session),
    call: (sessions) => sessions.rotate(session.id, rotation),
    first: true,
    again: [false],
    look: async (sessions) => [
      await sessions.findByRefreshToken(rotation.from),
      await sessions.findByRefreshToken(rotation.to),
    ],
    after: [
      { session: rotated, usedAt: at(1) },
      { session: rotated, usedAt: undefined },
    ],
  },
  {
    what: 'findByRefreshToken',
    prepare: (sessions) => sessions.add(session),
    call: (sessions) => sessions.findByRefreshToken(session.refreshTokenDigest),
    first: { session, usedAt: undefined },
    look: (sessions) => sessions.find(session.id),
    before: session,
    after: session,
  },
  {
    what: 'remove',
    prepare: async (sessions) => {
      await sessions.add(session);
      await sessions.add(other);
    },
    call: (sessions) => sessions.remove(session.id),
    first: undefined,
    look: async (sessions) => [await sessions.find(session.id), await sessions.find(other.id)],
    before: [session, other],
    after: [undefined, other],
  },
];

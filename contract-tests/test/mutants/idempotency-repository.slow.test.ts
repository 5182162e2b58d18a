import type { KeyedRequest } from '@palimpsest/core';
import { MemoryIdempotencyRepository } from '@palimpsest/memory';
import { describeIdempotencyRepository } from '../../src/index.ts';
import { describeStoreMutants, turn, wholeMs } from './mutant.ts';

describeStoreMutants(
  'IdempotencyRepository',
  describeIdempotencyRepository,
  (store) => new MemoryIdempotencyRepository(store),
  {
    'never frees an expired key': (sound) => ({ begin: (request) => sound.begin(request, 0) }),
    'ignores the fingerprint of a request': (sound, { keys }) => ({
      begin: (request, now) => {
        const stored = keys.get(JSON.stringify([request.accountId, request.key]));
        return sound.begin({ ...request, fingerprint: stored?.request.fingerprint ?? request.fingerprint }, now);
      },
    }),
    'never lets a held key be taken over': (sound, { keys }) => ({
      begin: (request, now) => {
        const stored = keys.get(JSON.stringify([request.accountId, request.key]));
        const isOver = stored === undefined || stored.request.expiresAt <= now;
        return sound.begin(request, isOver ? now : Math.min(now, stored.request.heldUntil - 1));
      },
    }),
    'gives a new resource when a key is taken over': (sound) => ({
      begin: async (request, now) => {
        const state = await sound.begin(request, now);
        return state.kind === 'begun' ? { ...state, resourceId: request.resourceId } : state;
      },
    }),
    'does not hold a key anew when it is taken over': (sound, { keys }) => ({
      begin: async (request, now) => {
        const place = JSON.stringify([request.accountId, request.key]);
        const before = keys.get(place);
        const state = await sound.begin(request, now);
        const isTakenOver = state.kind === 'begun' && before !== undefined && before.request.expiresAt > now;
        if (isTakenOver) keys.set(place, before);
        return state;
      },
    }),
    'lets all concurrent requests begin': (sound, { keys }) => ({
      begin: async (request, now) => {
        const isFree = !keys.has(JSON.stringify([request.accountId, request.key]));
        await turn();
        const state = await sound.begin(request, now);
        return isFree && state.kind === 'held' ? { kind: 'begun', resourceId: request.resourceId } : state;
      },
    }),
    'lets all concurrent requests take over a held key': (sound, { keys }) => ({
      begin: async (request, now) => {
        const stored = keys.get(JSON.stringify([request.accountId, request.key]));
        await turn();
        const mayTakeOver = stored !== undefined && stored.answer === undefined && stored.request.heldUntil <= now;
        const state = await sound.begin(request, now);
        return mayTakeOver && state.kind === 'held' ? { kind: 'begun', resourceId: stored.request.resourceId } : state;
      },
    }),
    'stores whole milliseconds only': (sound) => ({
      begin: (request, now) => sound.begin({ ...request, heldUntil: wholeMs(request.heldUntil) }, now),
    }),
    'shares keys between accounts': (sound) => {
      const shared = (request: KeyedRequest): KeyedRequest => ({ ...request, accountId: 'shared' });
      return {
        begin: (request, now) => sound.begin(shared(request), now),
        answer: (_accountId, key, answer) => sound.answer('shared', key, answer),
        release: (_accountId, key) => sound.release('shared', key),
      };
    },
    'compares keys without regard to case': (sound) => ({
      begin: (request, now) => sound.begin({ ...request, key: request.key.toLowerCase() }, now),
      answer: (accountId, key, answer) => sound.answer(accountId, key.toLowerCase(), answer),
    }),
    'replaces the first answer by a later one': (_sound, { keys }) => ({
      answer: async (accountId, key, answer) => {
        const stored = keys.get(JSON.stringify([accountId, key]));
        if (stored !== undefined) stored.answer = answer;
      },
    }),
    'frees an answered key when it is released': (_sound, { keys }) => ({
      release: async (accountId, key) => void keys.delete(JSON.stringify([accountId, key])),
    }),
    'does not forget answered keys': (sound, { keys }) => ({
      removeExpired: async (now) => {
        const answered = [...keys].filter(([, { answer }]) => answer !== undefined);
        const count = await sound.removeExpired(now);
        for (const [place, stored] of answered) keys.set(place, stored);
        return count;
      },
    }),
    'forgets expired keys one microsecond early': (sound) => ({ removeExpired: (now) => sound.removeExpired(now + 1) }),
  },
);

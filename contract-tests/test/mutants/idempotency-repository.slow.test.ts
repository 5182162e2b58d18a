import type { KeyedRequest } from '@palimpsest/core';
import { MemoryIdempotencyRepository } from '@palimpsest/memory';
import { describeIdempotencyRepository } from '../../src/index.ts';
import { describeStoreMutants, nextTurn, wholeMs } from './mutant.ts';

describeStoreMutants(
  'IdempotencyRepository',
  describeIdempotencyRepository,
  (store) => new MemoryIdempotencyRepository(store),
  {
    'never frees an expired key': (original) => ({ begin: (request) => original.begin(request, 0) }),
    'ignores the fingerprint of a request': (original, { keys }) => ({
      begin: (request, now) => {
        const stored = keys.get(JSON.stringify([request.accountId, request.key]));
        return original.begin({ ...request, fingerprint: stored?.request.fingerprint ?? request.fingerprint }, now);
      },
    }),
    'never lets a request take over a key': (original, { keys }) => ({
      begin: (request, now) => {
        const stored = keys.get(JSON.stringify([request.accountId, request.key]));
        const isOver = stored === undefined || stored.request.expiresAt <= now;
        return original.begin(request, isOver ? now : Math.min(now, stored.request.heldUntil - 1));
      },
    }),
    'returns a new resource id when a key is taken over': (original) => ({
      begin: async (request, now) => {
        const state = await original.begin(request, now);
        return state.kind === 'begun' ? { ...state, resourceId: request.resourceId } : state;
      },
    }),
    'keeps the old `heldUntil` of a key that is taken over': (original, { keys }) => ({
      begin: async (request, now) => {
        const place = JSON.stringify([request.accountId, request.key]);
        const before = keys.get(place);
        const state = await original.begin(request, now);
        const isTakenOver = state.kind === 'begun' && before !== undefined && before.request.expiresAt > now;
        if (isTakenOver) keys.set(place, before);
        return state;
      },
    }),
    'lets all concurrent requests begin': (original, { keys }) => ({
      begin: async (request, now) => {
        const isFree = !keys.has(JSON.stringify([request.accountId, request.key]));
        await nextTurn();
        const state = await original.begin(request, now);
        return isFree && state.kind === 'held' ? { kind: 'begun', resourceId: request.resourceId } : state;
      },
    }),
    'lets all concurrent requests take over a held key': (original, { keys }) => ({
      begin: async (request, now) => {
        const stored = keys.get(JSON.stringify([request.accountId, request.key]));
        await nextTurn();
        const mayTakeOver = stored !== undefined && stored.answer === undefined && stored.request.heldUntil <= now;
        const state = await original.begin(request, now);
        return mayTakeOver && state.kind === 'held' ? { kind: 'begun', resourceId: stored.request.resourceId } : state;
      },
    }),
    'stores whole milliseconds only': (original) => ({
      begin: (request, now) => original.begin({ ...request, heldUntil: wholeMs(request.heldUntil) }, now),
    }),
    'shares keys between accounts': (original) => {
      const shared = (request: KeyedRequest): KeyedRequest => ({ ...request, accountId: 'shared' });
      return {
        begin: (request, now) => original.begin(shared(request), now),
        answer: (_accountId, key, answer) => original.answer('shared', key, answer),
        release: (_accountId, key) => original.release('shared', key),
      };
    },
    'compares keys without regard to case': (original) => ({
      begin: (request, now) => original.begin({ ...request, key: request.key.toLowerCase() }, now),
      answer: (accountId, key, answer) => original.answer(accountId, key.toLowerCase(), answer),
    }),
    'replaces the first answer by a later one': (_original, { keys }) => ({
      answer: async (accountId, key, answer) => {
        const stored = keys.get(JSON.stringify([accountId, key]));
        if (stored !== undefined) stored.answer = answer;
      },
    }),
    'frees an answered key when it is released': (_original, { keys }) => ({
      release: async (accountId, key) => void keys.delete(JSON.stringify([accountId, key])),
    }),
    'does not remove expired keys with an answer': (original, { keys }) => ({
      removeExpired: async (now) => {
        const answered = [...keys].filter(([, { answer }]) => answer !== undefined);
        const count = await original.removeExpired(now);
        for (const [place, stored] of answered) keys.set(place, stored);
        return count;
      },
    }),
    'removes expired keys one microsecond early': (original) => ({
      removeExpired: (now) => original.removeExpired(now + 1),
    }),
  },
);

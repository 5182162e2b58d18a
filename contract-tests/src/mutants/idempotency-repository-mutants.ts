import type { IdempotencyRepository, Instant, KeyedRequest, KeyState } from '@palimpsest/core';
import { mutant, secondHandleElsewhere, type Mutant, type Mutants } from './mutant.ts';

interface Row {
  readonly request: KeyedRequest;
  answer: string | undefined;
}

/** How a repository of the mutants' own decides. */
interface Rules {
  readonly placeOf: (accountId: string, key: string) => string;
  readonly isFree: (row: Row, now: Instant) => boolean;
  readonly isOther: (row: Row, request: KeyedRequest, now: Instant) => boolean;
  readonly isAnswered: (row: Row, now: Instant) => boolean;
  readonly isHeld: (row: Row, now: Instant) => boolean;
  readonly heldUntil: (row: Row, request: KeyedRequest) => Instant;
  readonly takenOver: (first: KeyedRequest, next: KeyedRequest) => KeyedRequest;
  readonly mayAnswer: (row: Row) => boolean;
  readonly mayRelease: (row: Row) => boolean;
  readonly mayRemove: (row: Row) => boolean;
  /** Whether others get in between reading the row and writing it. */
  readonly pauses: (row: Row | undefined, now: Instant) => boolean;
}

const soundRules: Rules = {
  placeOf: (accountId, key) => JSON.stringify([accountId, key]),
  isFree: ({ request }, now) => request.expiresAt <= now,
  isOther: ({ request }, { fingerprint }) => request.fingerprint !== fingerprint,
  isAnswered: ({ answer }) => answer !== undefined,
  isHeld: ({ request }, now) => request.heldUntil > now,
  heldUntil: ({ request }) => request.heldUntil,
  takenOver: (first, next) => ({ ...next, resourceId: first.resourceId }),
  mayAnswer: ({ answer }) => answer === undefined,
  mayRelease: ({ answer }) => answer === undefined,
  mayRemove: () => true,
  pauses: () => false,
};

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const ruled = (given: Partial<Rules>): Mutant<IdempotencyRepository> =>
  mutant<IdempotencyRepository>(() => {
    const rules = { ...soundRules, ...given };
    const rows = new Map<string, Row>();
    const hold = (place: string, request: KeyedRequest): KeyState => {
      rows.set(place, { request, answer: undefined });
      return { kind: 'begun', resourceId: request.resourceId };
    };
    const removeWhere = (isOver: (row: Row) => boolean): number => {
      const over = [...rows].filter(([, row]) => isOver(row) && rules.mayRemove(row));
      for (const [place] of over) rows.delete(place);
      return over.length;
    };
    return () => ({
      begin: async (request, now) => {
        const place = rules.placeOf(request.accountId, request.key);
        const row = rows.get(place);
        if (rules.pauses(row, now)) await aTurn();
        if (row === undefined || rules.isFree(row, now)) return hold(place, { ...request });
        if (rules.isOther(row, request, now)) return { kind: 'other' };
        if (rules.isAnswered(row, now)) return { kind: 'answered', answer: row.answer ?? '' };
        if (rules.isHeld(row, now)) return { kind: 'held', until: rules.heldUntil(row, request) };
        return hold(place, rules.takenOver(row.request, request));
      },
      answer: async (accountId, key, answer) => {
        const row = rows.get(rules.placeOf(accountId, key));
        if (row !== undefined && rules.mayAnswer(row)) row.answer = answer;
      },
      release: async (accountId, key) => {
        const row = rows.get(rules.placeOf(accountId, key));
        if (row !== undefined && rules.mayRelease(row)) rows.delete(rules.placeOf(accountId, key));
      },
      removeAllOf: async (accountId) => void removeWhere(({ request }) => request.accountId === accountId),
      removeExpired: async (now) => removeWhere(({ request }) => request.expiresAt <= now),
    });
  });

const plain = (change: (sound: IdempotencyRepository) => Partial<IdempotencyRepository>) => mutant(() => change);

/** The repository that the mutants with rules of their own are made of passes the suite. */
export const plainKeyedRequests: Mutant<IdempotencyRepository> = ruled({});

/** Broken repositories, by what is wrong with them. */
export const idempotencyRepositoryMutants: Mutants<IdempotencyRepository> = {
  'begins every request': ruled({ isFree: () => true }),
  'never frees an expired key': ruled({ isFree: () => false }),
  'frees a key a microsecond late': ruled({ isFree: ({ request }, now) => request.expiresAt < now }),
  'frees a key a microsecond early': ruled({ isFree: ({ request }, now) => request.expiresAt <= now + 1 }),
  'frees a key when it is held no more': ruled({
    isFree: (row, now) => soundRules.isFree(row, now) || (row.answer === undefined && !soundRules.isHeld(row, now)),
  }),
  'keeps an expired key that is held': ruled({
    isFree: (row, now) => soundRules.isFree(row, now) && !soundRules.isHeld(row, now),
  }),
  'keeps an expired key that is answered': ruled({
    isFree: (row, now) => soundRules.isFree(row, now) && row.answer === undefined,
  }),
  'has no regard for fingerprints': ruled({ isOther: () => false }),
  'compares fingerprints without regard to case': ruled({
    isOther: ({ request }, { fingerprint }) => request.fingerprint.toLowerCase() !== fingerprint.toLowerCase(),
  }),
  'compares fingerprints of held keys alone': ruled({
    isOther: (row, request) => row.answer === undefined && soundRules.isOther(row, request, 0),
  }),
  'compares fingerprints of answered keys alone': ruled({
    isOther: (row, request) => row.answer !== undefined && soundRules.isOther(row, request, 0),
  }),
  'lets another request take a key over': ruled({
    isOther: (row, request, now) =>
      soundRules.isOther(row, request, now) && (row.answer !== undefined || soundRules.isHeld(row, now)),
  }),
  'compares resources instead of fingerprints': ruled({
    isOther: ({ request }, { resourceId }) => request.resourceId !== resourceId,
  }),
  'takes an empty answer for none': ruled({ isAnswered: ({ answer }) => answer !== undefined && answer !== '' }),
  'gives no answer while the key would be held': ruled({
    isAnswered: (row, now) => row.answer !== undefined && !soundRules.isHeld(row, now),
  }),
  'gives an answer only while the key would be held': ruled({
    isAnswered: (row, now) => row.answer !== undefined && soundRules.isHeld(row, now),
  }),
  'never lets a key be taken over': ruled({ isHeld: () => true }),
  'lets a key be taken over while it is held': ruled({ isHeld: () => false }),
  'holds a key a microsecond longer': ruled({ isHeld: ({ request }, now) => request.heldUntil >= now }),
  'holds a key a microsecond shorter': ruled({ isHeld: ({ request }, now) => request.heldUntil > now + 1 }),
  'says that a key is held for as long as the new request would': ruled({
    heldUntil: (_row, request) => request.heldUntil,
  }),
  'says that a key is held until it expires': ruled({ heldUntil: ({ request }) => request.expiresAt }),
  'makes another resource when a key is taken over': ruled({ takenOver: (_first, next) => ({ ...next }) }),
  'does not hold a key anew that is taken over': ruled({ takenOver: (first) => first }),
  'lets a key that was taken over expire with the first request': ruled({
    takenOver: (first, next) => ({ ...next, resourceId: first.resourceId, expiresAt: first.expiresAt }),
  }),
  'lets the last answer stay': ruled({ mayAnswer: () => true }),
  'stores no answer': ruled({ mayAnswer: () => false }),
  'frees an answered key that is released': ruled({ mayRelease: () => true }),
  'frees a key with an empty answer that is released': ruled({
    mayRelease: ({ answer }) => answer === undefined || answer === '',
  }),
  'releases nothing': ruled({ mayRelease: () => false }),
  'gives all accounts the same keys': ruled({ placeOf: (_accountId, key) => key }),
  'gives an account one key': ruled({ placeOf: (accountId) => accountId }),
  'joins account and key with a blank': ruled({ placeOf: (accountId, key) => `${accountId} ${key}` }),
  'takes keys without regard to case': ruled({
    placeOf: (accountId, key) => JSON.stringify([accountId, key.toLowerCase()]),
  }),
  'trims keys': ruled({ placeOf: (accountId, key) => JSON.stringify([accountId, key.trim()]) }),
  'forgets no answered keys': ruled({ mayRemove: ({ answer }) => answer === undefined }),
  'forgets no held keys': ruled({ mayRemove: ({ answer }) => answer !== undefined }),
  'lets all have a free key that ask at once': ruled({ pauses: (row) => row === undefined }),
  'lets all take a key over that ask at once': ruled({
    pauses: (row, now) =>
      row !== undefined && !soundRules.isFree(row, now) && row.answer === undefined && !soundRules.isHeld(row, now),
  }),
  'lets all have an expired key that ask at once': ruled({
    pauses: (row, now) => row !== undefined && soundRules.isFree(row, now),
  }),
  'keeps milliseconds': plain((sound) => ({
    begin: (request, now) => sound.begin({ ...request, heldUntil: Math.floor(request.heldUntil / 1000) * 1000 }, now),
  })),
  'takes a key that is not held in order to answer it': plain((sound) => ({
    answer: async (accountId, key, answer) => {
      const [heldUntil, expiresAt] = [0, Number.MAX_SAFE_INTEGER];
      const state = await sound.begin({ accountId, key, fingerprint: '\0', resourceId: '', heldUntil, expiresAt }, 0);
      if (state.kind === 'begun' || state.kind === 'other') await sound.answer(accountId, key, answer);
    },
  })),
  'trims answers': plain((sound) => ({
    answer: (accountId, key, answer) => sound.answer(accountId, key, answer.trim()),
  })),
  'cuts long answers': plain((sound) => ({
    answer: (accountId, key, answer) => sound.answer(accountId, key, answer.slice(0, 65_535)),
  })),
  'makes numbers of answers that look so': plain((sound) => ({
    answer: (accountId, key, answer) =>
      sound.answer(accountId, key, /^\d+(e\d+)?$/.test(answer) ? String(Number(answer)) : answer),
  })),
  'forgets no keys of an account': plain(() => ({ removeAllOf: async () => {} })),
  'forgets keys of accounts whose id begins alike': mutant(() => {
    const accounts = new Set<string>();
    return (sound) => ({
      begin: async (request, now) => {
        accounts.add(request.accountId);
        return sound.begin(request, now);
      },
      removeAllOf: async (accountId) => {
        for (const each of accounts) if (each.startsWith(accountId)) await sound.removeAllOf(each);
      },
    });
  }),
  'forgets a microsecond early': plain((sound) => ({ removeExpired: (now) => sound.removeExpired(now + 1) })),
  'forgets a microsecond late': plain((sound) => ({ removeExpired: (now) => sound.removeExpired(now - 1) })),
  'counts nothing of what it forgot': plain((sound) => ({
    removeExpired: async (now) => {
      await sound.removeExpired(now);
      return 0;
    },
  })),
  'keeps the object that it was given': mutant(() => {
    const given = new Map<string, KeyedRequest>();
    return (sound) => ({
      begin: async (request, now) => {
        const state = await sound.begin(request, now);
        const place = JSON.stringify([request.accountId, request.key]);
        if (state.kind === 'begun') given.set(place, request);
        return state.kind === 'held' ? { kind: 'held', until: given.get(place)?.heldUntil ?? state.until } : state;
      },
    });
  }),
  'gives the same answer out twice': mutant(() => {
    const out = new Map<string, KeyState>();
    return (sound) => ({
      begin: async (request, now) => {
        const state = await sound.begin(request, now);
        if (state.kind !== 'answered') return state;
        const kept = out.get(state.answer) ?? state;
        out.set(state.answer, kept);
        return kept;
      },
    });
  }),
  'has a second handle that sees nothing': secondHandleElsewhere(),
};

import type { IdempotencyRepository, Instant, KeyedRequest, KeyState } from '@palimpsest/core';
import { expect } from 'chai';
import { at, sampleId } from '../kit/samples.ts';
import { aKeyedRequest } from './samples.ts';

/** The number of concurrent calls. */
export const CONCURRENT = 20;
/** Two handles on one store (or the same handle twice) that concurrent calls use alternately. */
type Handles = readonly [here: IdempotencyRepository, there: IdempotencyRepository];

export const begun = (resourceId: string): KeyState => ({ kind: 'begun', resourceId });
export const answered = (answer: string): KeyState => ({ kind: 'answered', answer });
export const held = (until: Instant): KeyState => ({ kind: 'held', until });
export const other: KeyState = { kind: 'other' };

/** The same request, sent again: with a new resource id and new times. */
export const again = (request: KeyedRequest, given: Partial<KeyedRequest> = {}): KeyedRequest => ({
  ...request,
  resourceId: sampleId(),
  heldUntil: at(700),
  expiresAt: at(90_000),
  ...given,
});

/** Expects that the key is held. Does not change it. */
export const expectHeld = async (keys: IdempotencyRepository, request: KeyedRequest, now = at(1)) =>
  expect(await keys.begin(again(request), now)).to.deep.equal(held(request.heldUntil));

/** Expects that the key is free. Begins another request with it. */
export const expectFree = async (keys: IdempotencyRepository, { accountId, key }: KeyedRequest, now = at(1)) => {
  const next = aKeyedRequest({ accountId, key, fingerprint: 'another' });
  expect(await keys.begin(next, now)).to.deep.equal(begun(next.resourceId));
};

/** Sends a request many times concurrently. Expects that one begins, with `resourceId` or its own, and the others are held. */
export const raceBegins = async ([here, there]: Handles, request: KeyedRequest, now: Instant, resourceId?: string) => {
  const candidates = Array.from({ length: CONCURRENT }, (_, i) =>
    again(request, { heldUntil: at(2e5 + i), expiresAt: at(3e5) }),
  );
  const states = await Promise.all(
    candidates.map((candidate, i) => (i % 2 === 0 ? here : there).begin(candidate, now)),
  );
  const winner = states.findIndex((state) => state.kind === 'begun');
  expect(winner).to.not.equal(-1);
  const expected = candidates.map((_, i) =>
    i === winner ? begun(resourceId ?? candidates[winner]?.resourceId ?? '') : held(candidates[winner]?.heldUntil ?? 0),
  );
  expect(states).to.deep.equal(expected);
};

/** Answers a request many times concurrently. Expects that both handles keep the same answer. */
export const raceAnswers = async ([here, there]: Handles, request: KeyedRequest) => {
  await here.begin(request, at(0));
  const texts = Array.from({ length: CONCURRENT }, (_, i) => `answer ${i}`);
  await Promise.all(texts.map((text, i) => (i % 2 === 0 ? here : there).answer(request.accountId, request.key, text)));
  const found = new Set<string>();
  for (const keys of [here, there]) {
    const state = await keys.begin(again(request), at(1));
    if (state.kind === 'answered') found.add(state.answer);
  }
  expect(found).to.have.property('size', 1);
  expect(texts).to.include([...found][0]);
};

import type { IdempotencyRepository } from '@palimpsest/core';
import { expect } from 'chai';
import type { SubjectTest } from '../kit/harness.ts';
import { at, strangeTexts } from '../kit/samples.ts';
import { again, answered, begun, expectFree, expectHeld, raceAnswers } from './key-states.ts';
import { aKeyedRequest } from './samples.ts';

/** Tests storing answers and releasing keys. */
export const describeAnswers = (test: SubjectTest<IdempotencyRepository>): void => {
  test('returns the answer until the key expires, any number of times', async (keys) => {
    const request = aKeyedRequest();
    await keys.begin(request, at(0));
    await keys.answer(request.accountId, request.key, 'done');
    for (const now of [at(1), at(299), at(300), at(301), request.expiresAt - 1]) {
      expect(await keys.begin(again(request), now)).to.deep.equal(answered('done'));
    }
  });

  test('keeps the first answer', async (keys) => {
    const request = aKeyedRequest();
    await keys.begin(request, at(0));
    for (const answer of ['first', 'second', '']) await keys.answer(request.accountId, request.key, answer);
    expect(await keys.begin(request, at(1))).to.deep.equal(answered('first'));
  });

  test('stores the answer of a request that no longer holds the key or was taken over', async (keys) => {
    const [late, taken] = [aKeyedRequest({ heldUntil: at(0) }), aKeyedRequest()];
    for (const request of [late, taken]) await keys.begin(request, at(0));
    await keys.begin(again(taken), at(300));
    for (const request of [late, taken]) {
      await keys.answer(request.accountId, request.key, 'done');
      expect(await keys.begin(again(request), at(301))).to.deep.equal(answered('done'));
    }
  });

  test('stores any answer unchanged: empty, any text, 1 MiB', async (keys) => {
    const mebibyte = 'ä"\\\n'.repeat(209_716).slice(0, 1_048_576);
    for (const text of [...strangeTexts, mebibyte, '{"id":"1","text":"\\u0000"}', 'false', ' \n ']) {
      const request = aKeyedRequest();
      await keys.begin(request, at(0));
      await keys.answer(request.accountId, request.key, text);
      const state = await keys.begin(again(request), at(301));
      expect(state.kind).to.equal('answered');
      expect(state.kind === 'answered' && state.answer === text, text.slice(0, 40)).to.equal(true);
    }
  });

  test('does not store an answer under a key that is not held', async (keys) => {
    const [never, released] = [aKeyedRequest(), aKeyedRequest()];
    await keys.begin(released, at(0));
    await keys.release(released.accountId, released.key);
    for (const request of [never, released]) {
      await keys.answer(request.accountId, request.key, 'done');
      await expectFree(keys, request);
    }
  });

  test('frees a released key for any request', async (keys) => {
    const [one, two, kept] = [aKeyedRequest(), aKeyedRequest(), aKeyedRequest()];
    for (const request of [one, two, kept]) await keys.begin(request, at(0));
    for (const { accountId, key } of [one, two, two]) await keys.release(accountId, key);
    const next = again(one);
    expect(await keys.begin(next, at(1))).to.deep.equal(begun(next.resourceId));
    await expectHeld(keys, next);
    await expectFree(keys, two);
    await expectHeld(keys, kept);
  });

  test('keeps the answer of an answered key that is released', async (keys) => {
    const [request, empty] = [aKeyedRequest(), aKeyedRequest()];
    for (const each of [request, empty]) await keys.begin(each, at(0));
    await keys.answer(request.accountId, request.key, 'done');
    await keys.answer(empty.accountId, empty.key, '');
    for (const { accountId, key } of [request, empty]) await keys.release(accountId, key);
    expect(await keys.begin(again(request), at(1))).to.deep.equal(answered('done'));
    expect(await keys.begin(again(empty), at(1))).to.deep.equal(answered(''));
  });

  test('keeps one of many concurrent answers', async (subject) => {
    await raceAnswers([subject, subject], aKeyedRequest());
  });
};

import type { IdempotencyRepository } from '@palimpsest/core';
import { expect } from 'chai';
import type { SubjectTest } from '../kit/harness.ts';
import { at } from '../kit/samples.ts';
import { again, answered, begun, expectHeld, other, raceBegins } from './key-states.ts';
import { aKeyedRequest } from './samples.ts';

/** Tests requests that take over a key that is no longer held, or begin under an expired key. */
export const describeKeyReuse = (test: SubjectTest<IdempotencyRepository>): void => {
  test('lets the same request take over a key that is no longer held, with the resource id of the first request', async (keys) => {
    const request = aKeyedRequest();
    await keys.begin(request, at(0));
    const next = again(request, { heldUntil: at(600) });
    expect(await keys.begin(next, at(300))).to.deep.equal(begun(request.resourceId));
    for (const now of [at(300), at(600) - 1]) await expectHeld(keys, next, now);
    const last = again(request, { heldUntil: at(900) });
    expect(await keys.begin(last, at(600))).to.deep.equal(begun(request.resourceId));
    await expectHeld(keys, last, at(601));
  });

  test('keeps a key that was taken over until `expiresAt` of the new request', async (keys) => {
    const request = aKeyedRequest({ expiresAt: at(400) });
    await keys.begin(request, at(0));
    const next = again(request, { heldUntil: at(350), expiresAt: at(800) });
    await keys.begin(next, at(300));
    expect(await keys.removeExpired(at(799)), 'number removed').to.equal(0);
    expect(await keys.begin(again(request), at(799))).to.deep.equal(begun(request.resourceId));
  });

  test('frees an expired key for another request, exact to the microsecond', async (keys) => {
    const [finished, broken] = [aKeyedRequest(), aKeyedRequest({ heldUntil: at(86_500) })];
    for (const request of [finished, broken]) await keys.begin(request, at(0));
    await keys.answer(finished.accountId, finished.key, 'done');
    for (const request of [finished, broken]) {
      const next = again(request, { fingerprint: 'another', heldUntil: at(86_600) });
      expect(await keys.begin(next, request.expiresAt - 1)).to.deep.equal(other);
      expect(await keys.begin(next, request.expiresAt)).to.deep.equal(begun(next.resourceId));
      await expectHeld(keys, next, at(86_401));
      expect(await keys.begin(request, at(86_401))).to.deep.equal(other);
    }
  });

  test('begins the same request again under its expired key, with a new resource id', async (keys) => {
    for (const heldUntil of [at(300), at(86_500)]) {
      const request = aKeyedRequest({ heldUntil });
      await keys.begin(request, at(0));
      const next = again(request, { heldUntil: at(86_600) });
      expect(await keys.begin(next, request.expiresAt)).to.deep.equal(begun(next.resourceId));
      await expectHeld(keys, next, request.expiresAt);
      await keys.answer(next.accountId, next.key, 'done');
      expect(await keys.begin(again(next), request.expiresAt)).to.deep.equal(answered('done'));
    }
  });

  test('lets exactly one of many concurrent requests take over a key or begin under an expired key', async (keys) => {
    const [taken, expired] = [aKeyedRequest(), aKeyedRequest()];
    for (const request of [taken, expired]) await keys.begin(request, at(0));
    await raceBegins([keys, keys], taken, at(300), taken.resourceId);
    await raceBegins([keys, keys], expired, expired.expiresAt);
  });
};

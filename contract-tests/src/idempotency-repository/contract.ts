import type { IdempotencyRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { modifyDeeply } from '../kit/expectations.ts';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { idempotencyFaultCases } from './faults.ts';
import { describeAnswers } from './answers.ts';
import {
  again,
  answered,
  begun,
  CONCURRENT,
  expectFree,
  expectHeld,
  held,
  other,
  raceAnswers,
  raceBegins,
} from './key-states.ts';
import { describeKeyRemoval } from './removal.ts';
import { describeKeyReuse } from './reuse.ts';
import { aKeyedRequest } from './samples.ts';
import { at, lookalikes, sampleId, strangeTexts, unknownIds } from '../kit/samples.ts';
import { describeFaults } from '../kit/fault-cases.ts';

/** Tests every promise of `IdempotencyRepository`. */
export const describeIdempotencyRepository = (
  name: string,
  open: Open<IdempotencyRepository>,
  without: Without = {},
): void =>
  void describe(`${name}, an IdempotencyRepository`, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('begins a request under a free key with the resource id of the request', async (keys) => {
      for (const request of [aKeyedRequest(), aKeyedRequest(), aKeyedRequest({ expiresAt: at(7e9) })]) {
        expect(await keys.begin(request, at(0))).to.deep.equal(begun(request.resourceId));
      }
    });

    test('holds the key until `heldUntil` of the first request, exact to the microsecond', async (keys) => {
      const request = aKeyedRequest({ heldUntil: at(300) + 1 });
      await keys.begin(request, at(0));
      for (const now of [at(0), at(299), at(300)]) await expectHeld(keys, request, now);
      expect(await keys.begin(request, at(300))).to.deep.equal(held(at(300) + 1));
    });

    test('returns `other` for another request under the key in every state, and changes nothing', async (keys) => {
      const request = aKeyedRequest();
      const otherRequest = (fingerprint: string) => again(request, { fingerprint });
      const others = [...strangeTexts, `${request.fingerprint} `, request.fingerprint.toUpperCase()].map(otherRequest);
      await keys.begin(request, at(0));
      for (const each of others) expect(await keys.begin(each, at(1)), 'held').to.deep.equal(other);
      await expectHeld(keys, request);
      for (const each of others) expect(await keys.begin(each, at(300)), 'no longer held').to.deep.equal(other);
      const next = again(request);
      expect(await keys.begin(next, at(300))).to.deep.equal(begun(request.resourceId));
      for (const each of others) expect(await keys.begin(each, at(301)), 'taken over').to.deep.equal(other);
      await expectHeld(keys, next, at(301));
      await keys.answer(request.accountId, request.key, 'done');
      for (const each of others) expect(await keys.begin(each, at(302)), 'answered').to.deep.equal(other);
      expect(await keys.begin(request, at(302))).to.deep.equal(answered('done'));
    });

    test('does not change the key when any other key or account is answered, released or removed', async (keys) => {
      const request = aKeyedRequest({ key: sampleId(1) });
      await keys.begin(request, at(0));
      for (const text of [...unknownIds, request.fingerprint, request.resourceId]) {
        await keys.answer(request.accountId, text, 'wrong');
        await keys.answer(text, request.key, 'wrong');
        await keys.release(request.accountId, text);
        await keys.release(text, request.key);
        await keys.removeAllOf(text);
      }
      await keys.removeAllOf(request.key);
      await expectHeld(keys, request);
    });

    test('keeps accounts and keys with unusual characters separate', async (keys) => {
      const accountIds = [...strangeTexts, 'a', 'A', 'ab', 'a b', 'a:b', 'a/b', 'a,b', 'a","b'];
      const requests = [
        ...accountIds.map((accountId) => aKeyedRequest({ accountId, key: 'a' })),
        ...['ba', 'b a', 'b:a', 'b/a', 'b,a', 'b","a'].map((key) => aKeyedRequest({ accountId: 'a', key })),
        ...[...strangeTexts, 'a', 'A'].map((key) => aKeyedRequest({ key, fingerprint: key })),
      ];
      for (const request of requests) {
        expect(await keys.begin(request, at(0)), `${request.accountId}, ${request.key}`).to.deep.equal(
          begun(request.resourceId),
        );
      }
      for (const [i, { accountId, key }] of requests.entries())
        if (i % 2 === 0) await keys.answer(accountId, key, `answer ${i}`);
      for (const [i, request] of requests.entries()) {
        expect(await keys.begin(again(request), at(1))).to.deep.equal(
          i % 2 === 0 ? answered(`answer ${i}`) : held(at(300)),
        );
      }
    });

    test('does not confuse similar fingerprints or account ids', async (keys) => {
      const requests = lookalikes.map((text) => aKeyedRequest({ accountId: text, fingerprint: text }));
      for (const request of requests) await keys.begin(request, at(0));
      for (const request of requests) {
        for (const fingerprint of lookalikes.filter((each) => each !== request.fingerprint)) {
          expect(await keys.begin(again(request, { fingerprint }), at(1)), fingerprint.slice(0, 40)).to.deep.equal(
            other,
          );
        }
      }
      for (const [i, { accountId }] of requests.entries()) {
        await keys.removeAllOf(accountId);
        for (const request of requests.slice(i + 1)) await expectHeld(keys, request);
      }
    });

    test('begins exactly one of many concurrent equal requests; the others are held', async (keys) => {
      await raceBegins([keys, keys], aKeyedRequest(), at(0));
    });

    test('begins exactly one of many different concurrent requests under one key', async (keys) => {
      const candidates = Array.from({ length: CONCURRENT }, (_, i) =>
        aKeyedRequest({ key: 'one key', fingerprint: `request ${i}` }),
      );
      const states = await Promise.all(candidates.map((candidate) => keys.begin(candidate, at(0))));
      expect(states.filter(({ kind }) => kind === 'begun')).to.have.length(1);
      expect(states.filter(({ kind }) => kind === 'other')).to.have.length(CONCURRENT - 1);
    });

    describeKeyReuse(test);
    describeAnswers(test);
    describeKeyRemoval(test);

    test('is not affected when the caller modifies given or returned objects', async (keys) => {
      const request = aKeyedRequest();
      const given = { ...request };
      const state = await keys.begin(given, at(0));
      modifyDeeply(given);
      modifyDeeply(state);
      modifyDeeply(await keys.begin(again(request), at(1)));
      await expectHeld(keys, request);
      await keys.answer(request.accountId, request.key, 'done');
      modifyDeeply(await keys.begin(again(request), at(1)));
      expect(await keys.begin(request, at(1))).to.deep.equal(answered('done'));
    });

    describeWith('openSecond', opened, without, (second) => {
      test('sees every change of the first handle at once', async (here) => {
        const there = await second();
        const [one, two, three] = [aKeyedRequest(), aKeyedRequest(), aKeyedRequest()];
        for (const request of [one, two, three]) await here.begin(request, at(0));
        for (const request of [one, two, three]) await expectHeld(there, request);
        await there.answer(one.accountId, one.key, 'done');
        expect(await here.begin(again(one), at(1))).to.deep.equal(answered('done'));
        await there.release(two.accountId, two.key);
        await expectFree(here, two);
        await there.removeAllOf('account-1');
        await expectFree(here, three);
      });

      it('lets exactly one request on both handles begin, take over and answer', async () => {
        const [here, there] = [opened().subject, await second()];
        const request = aKeyedRequest();
        await here.begin(request, at(0));
        await raceBegins([here, there], request, at(300), request.resourceId);
        await raceBegins([here, there], aKeyedRequest(), at(0));
        await raceAnswers([here, there], aKeyedRequest());
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      test('has every key with its resource id and its answer', async (before) => {
        const [broken, finished, refused] = [aKeyedRequest(), aKeyedRequest(), aKeyedRequest()];
        for (const request of [broken, finished, refused]) await before.begin(request, at(0));
        await before.answer(finished.accountId, finished.key, 'done');
        await before.release(refused.accountId, refused.key);
        const keys = await reopen();
        await expectHeld(keys, broken);
        expect(await keys.begin(again(broken), at(300))).to.deep.equal(begun(broken.resourceId));
        expect(await keys.begin(again(finished), at(1))).to.deep.equal(answered('done'));
        await expectFree(keys, refused);
      });
    });

    describeFaults(opened, without, (subject) => subject, idempotencyFaultCases);
  });

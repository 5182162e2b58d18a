import type { IdempotencyRepository } from '@palimpsest/core';
import { expect } from 'chai';
import type { SubjectTest } from '../kit/harness.ts';
import { at, MANY, strangeTexts } from '../kit/samples.ts';
import { again, answered, expectFree, expectHeld } from './key-states.ts';
import { aKeyedRequest } from './samples.ts';

/** Tests removing the keys of an account and expired keys. */
export const describeKeyRemoval = (test: SubjectTest<IdempotencyRepository>): void => {
  test('removes all keys of one account, held or answered, and of no other account', async (keys) => {
    const mine = [aKeyedRequest(), aKeyedRequest(), aKeyedRequest()];
    const theirs = ['account-2', 'account-11', ...strangeTexts].map((accountId) => aKeyedRequest({ accountId }));
    for (const request of [...mine, ...theirs]) await keys.begin(request, at(0));
    await keys.answer('account-1', mine[0]?.key ?? '', 'done');
    for (const accountId of ['account-1', 'account-1', 'nobody']) await keys.removeAllOf(accountId);
    for (const request of mine) await expectFree(keys, request);
    for (const request of theirs) await expectHeld(keys, request);
  });

  test('removes expired keys, held or answered, exact to the microsecond, and returns their number', async (keys) => {
    const expired = [at(400), at(400) - 1, at(350)].map((expiresAt) => aKeyedRequest({ expiresAt }));
    const valid = [at(400) + 1, at(500)].map((expiresAt) => aKeyedRequest({ expiresAt }));
    const done = [aKeyedRequest({ expiresAt: at(400) }), aKeyedRequest({ expiresAt: at(401) })];
    for (const request of [...expired, ...valid, ...done]) await keys.begin(request, at(0));
    for (const { accountId, key } of done) await keys.answer(accountId, key, 'done');
    expect(await keys.removeExpired(at(350) - 1), 'number removed').to.equal(0);
    expect(await keys.removeExpired(at(400)), 'number removed').to.equal(4);
    expect(await keys.removeExpired(at(400)), 'number removed').to.equal(0);
    for (const request of [...expired, ...done.slice(0, 1)]) await expectFree(keys, request);
    for (const request of valid) await expectHeld(keys, request);
    for (const request of done.slice(1))
      expect(await keys.begin(again(request), at(1))).to.deep.equal(answered('done'));
  });

  test('removes every one of many keys of an account and of many expired keys', async (keys) => {
    const mine = Array.from({ length: MANY }, () => aKeyedRequest());
    const expired = Array.from({ length: MANY }, () => aKeyedRequest({ accountId: 'account-2', expiresAt: at(400) }));
    await Promise.all([...mine, ...expired].map((request) => keys.begin(request, at(0))));
    await keys.removeAllOf('account-1');
    expect(await keys.removeExpired(at(400)), 'number removed').to.equal(MANY);
    const next = [...mine, ...expired].map((request) => again(request, { fingerprint: 'another' }));
    const states = await Promise.all(next.map((request) => keys.begin(request, at(1))));
    expect(states.filter(({ kind }) => kind === 'begun')).to.have.length(2 * MANY);
  });
};

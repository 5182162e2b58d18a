import type { IdempotencyRepository } from '@palimpsest/core';
import { type OperationModel, operation } from '../kit/cross-check.ts';
import { PERIOD_SECONDS, anAccountId, anyAccountId } from '../kit/model-inputs.ts';
import type { Random } from '../kit/random.ts';
import { at, strangeTexts } from '../kit/samples.ts';

/** Random operations on keyed requests. */
export const idempotencyModel: OperationModel<IdempotencyRepository> = () => {
  const key = (random: Random) => ({
    accountId: anAccountId(random),
    key: random.pick(['key', 'KEY', 'a b', '$ne', '']),
  });
  const begin = (random: Random) => {
    const now = random.below(PERIOD_SECONDS);
    const held = now + random.below(20);
    const request = {
      ...key(random),
      fingerprint: random.pick(['one', 'two']),
      resourceId: `resource-${random.below(100)}`,
    };
    return { request: { ...request, heldUntil: at(held), expiresAt: at(held + 10 + random.below(30)) }, now: at(now) };
  };
  return {
    begin: operation(begin, (keys, { request, now }) => keys.begin(request, now), 6),
    'begin twice at once': operation(begin, async (keys, { request, now }) => {
      const states = await Promise.all([keys.begin(request, now), keys.begin(request, now)]);
      return states.map(({ kind }) => kind).toSorted();
    }),
    answer: operation(
      (random) => ({ ...key(random), answer: random.pick(strangeTexts) }),
      (keys, { accountId, key: name, answer }) => keys.answer(accountId, name, answer),
      2,
    ),
    release: operation(key, (keys, { accountId, key: name }) => keys.release(accountId, name)),
    removeAllOf: operation(anyAccountId, (keys, id) => keys.removeAllOf(id)),
    removeExpired: operation(
      (random) => at(random.below(PERIOD_SECONDS / 3)),
      (keys, now) => keys.removeExpired(now),
    ),
  };
};

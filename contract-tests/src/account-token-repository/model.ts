import type { AccountTokenRepository, TokenPurpose } from '@palimpsest/core';
import { type OperationModel, operation } from '../kit/cross-check.ts';
import { PERIOD_SECONDS, aTime, anAccountId, anyAccountId, countTrue } from '../kit/model-inputs.ts';
import type { Random } from '../kit/random.ts';
import { at, unknownIds } from '../kit/samples.ts';

const PURPOSES: readonly TokenPurpose[] = ['verify-email', 'reset-password'];

/** Random operations on account tokens. A digest belongs to one account, purpose and time. */
export const accountTokenModel: OperationModel<AccountTokenRepository> = () => {
  const token = (random: Random) => {
    const [accountId, purpose, number] = [anAccountId(random), random.pick(PURPOSES), random.below(8)];
    return { accountId, purpose, digest: `${accountId} ${purpose} ${number}`, requestedAt: at(number) };
  };
  return {
    issue: operation(
      (random) => ({ ...token(random), expiresAt: aTime(random) }),
      (tokens, given) => tokens.issue(given),
      4,
    ),
    find: operation(token, (tokens, { digest, purpose }) => tokens.find(digest, purpose), 3),
    'find for the other purpose': operation(token, (tokens, { digest, purpose }) =>
      tokens.find(digest, purpose === 'verify-email' ? 'reset-password' : 'verify-email'),
    ),
    'find an unknown digest': operation(
      (random) => random.pick(unknownIds),
      (tokens, digest) => tokens.find(digest, 'verify-email'),
    ),
    spend: operation(token, (tokens, { digest, purpose }) => tokens.spend(digest, purpose), 2),
    'spend twice at once': operation(token, (tokens, { digest, purpose }) =>
      countTrue([tokens.spend(digest, purpose), tokens.spend(digest, purpose)]),
    ),
    removeAllOf: operation(anyAccountId, (tokens, id) => tokens.removeAllOf(id)),
    removeExpired: operation(
      (random) => at(random.below(PERIOD_SECONDS / 4)),
      (tokens, now) => tokens.removeExpired(now),
    ),
  };
};

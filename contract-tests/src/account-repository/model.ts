import type { AccountRepository } from '@palimpsest/core';
import { type OperationModel, operation } from '../kit/cross-check.ts';
import { PERIOD_SECONDS, aTime, anAccountId, anyAccountId, countTrue } from '../kit/model-inputs.ts';
import { at, strangeTexts, unknownIds } from '../kit/samples.ts';

const EMAILS = ['a@example.org', 'b@example.org', 'a.b@example.org', 'ab@example.org'];
const HASHES = ['hash-1', 'hash-2', 'hash-3'];

/** Random operations on accounts. If both the id and the address are taken, the port allows either error. */
export const accountModel: OperationModel<AccountRepository> = () => {
  let closings = 0;
  return {
    add: operation(
      (random) => ({
        id: random.oneIn(6) ? random.pick(strangeTexts) : anAccountId(random),
        email: random.pick(EMAILS),
        passwordHash: random.pick(HASHES),
        emailVerified: random.oneIn(2),
        createdAt: aTime(random),
      }),
      async (accounts, account) => {
        const isTaken = (await accounts.findByEmail(account.email)) !== undefined;
        try {
          return await accounts.add(account);
        } catch (error) {
          if (isTaken && error instanceof TypeError) return false;
          throw error;
        }
      },
      4,
    ),
    find: operation(anyAccountId, (accounts, id) => accounts.find(id), 2),
    findByEmail: operation(
      (random) => (random.oneIn(5) ? random.pick(unknownIds) : random.pick(EMAILS)),
      (accounts, email) => accounts.findByEmail(email),
      2,
    ),
    verifyEmail: operation(anyAccountId, (accounts, id) => accounts.verifyEmail(id)),
    changePassword: operation(
      (random) => ({ id: anyAccountId(random), from: random.pick(HASHES), to: random.pick(HASHES) }),
      (accounts, { id, from, to }) => accounts.changePassword(id, from, to),
      3,
    ),
    'changePassword by two candidates': operation(
      (random) => ({ id: anAccountId(random), to: `${random.pick(HASHES)}+` }),
      async (accounts, { id, to }) => {
        const from = (await accounts.find(id))?.passwordHash ?? '';
        if (from === to) return 'alike';
        return await countTrue([accounts.changePassword(id, from, to), accounts.changePassword(id, from, to)]);
      },
    ),
    close: operation(
      (random) => ({ id: anyAccountId(random), closedAt: at(PERIOD_SECONDS + ++closings) }), // never two at the same time
      (accounts, { id, closedAt }) => accounts.close(id, closedAt),
    ),
    closed: operation(
      () => undefined,
      (accounts) => accounts.closed(),
    ),
    forget: operation(anyAccountId, (accounts, id) => accounts.forget(id)),
  };
};

import { MemoryAccountTokenRepository } from '@palimpsest/memory';
import { describeAccountTokenRepository } from '../../src/index.ts';
import { describeStoreMutants, nextTurn, wholeMs } from './mutant.ts';

describeStoreMutants(
  'AccountTokenRepository',
  describeAccountTokenRepository,
  (store) => new MemoryAccountTokenRepository(store),
  {
    'keeps the token that is issued last instead of the newest': (original, { accountTokens }) => ({
      issue: async (token) => {
        for (const [place, stored] of accountTokens) {
          const isSame = stored.token.accountId === token.accountId && stored.token.purpose === token.purpose;
          if (isSame && stored.token.digest !== token.digest) accountTokens.delete(place);
        }
        return await original.issue(token);
      },
    }),
    'keeps the older token valid beside the newer one': (original, { accountTokens }) => ({
      issue: async (token) => {
        const before = [...accountTokens];
        const issued = await original.issue(token);
        for (const [place, old] of before) {
          if (issued && old.token.digest !== token.digest) accountTokens.set(`${place} ${old.token.digest}`, old);
        }
        return issued;
      },
    }),
    'keeps only one token of an account for all purposes': (original, { accountTokens }) => ({
      issue: async (token) => {
        for (const [place, { token: old }] of accountTokens) {
          if (old.accountId === token.accountId && old.purpose !== token.purpose) accountTokens.delete(place);
        }
        return await original.issue(token);
      },
    }),
    'makes a spent token valid again': (original, { accountTokens }) => ({
      issue: async (token) => {
        for (const stored of accountTokens.values()) if (stored.token.digest === token.digest) stored.spent = false;
        return await original.issue(token);
      },
    }),
    'looks up the older token and stores later, not atomically': (original, { accountTokens }) => ({
      issue: async (token) => {
        const before = structuredClone([...accountTokens]);
        await nextTurn();
        const later = [...accountTokens];
        accountTokens.clear();
        for (const [place, stored] of before) accountTokens.set(place, stored);
        const issued = await original.issue(token);
        for (const [place, stored] of later) if (!accountTokens.has(place)) accountTokens.set(place, stored);
        return issued;
      },
    }),
    'stores whole milliseconds only': (original) => ({
      issue: (token) => original.issue({ ...token, requestedAt: wholeMs(token.requestedAt) }),
    }),
    'finds spent tokens': (_original, { accountTokens }) => ({
      find: async (digest, purpose) =>
        accountTokens.values().find(({ token }) => token.digest === digest && token.purpose === purpose)?.token,
    }),
    'finds a token of any purpose': (original) => ({
      find: async (digest) =>
        (await original.find(digest, 'verify-email')) ?? (await original.find(digest, 'reset-password')),
    }),
    'compares digests without regard to case': (_original, { accountTokens }) => ({
      find: async (digest, purpose) => {
        const lower = digest.toLowerCase();
        const found = accountTokens
          .values()
          .find(({ token, spent }) => !spent && token.digest.toLowerCase() === lower && token.purpose === purpose);
        return structuredClone(found?.token);
      },
    }),
    'finds the token and spends it later, not atomically': (original) => ({
      spend: async (digest, purpose) => {
        if ((await original.find(digest, purpose)) === undefined) return false;
        await nextTurn();
        await original.spend(digest, purpose);
        return true;
      },
    }),
    'removes the tokens of all accounts': (_original, { accountTokens }) => ({
      removeAllOf: async () => accountTokens.clear(),
    }),
    'does not remove spent tokens': (original, { accountTokens }) => ({
      removeExpired: async (moment) => {
        const spent = [...accountTokens].filter(([, stored]) => stored.spent);
        for (const [place] of spent) accountTokens.delete(place);
        const count = await original.removeExpired(moment);
        for (const [place, stored] of spent) accountTokens.set(place, stored);
        return count;
      },
    }),
    'removes expired tokens one microsecond early': (original) => ({
      removeExpired: (moment) => original.removeExpired(moment + 1),
    }),
  },
);

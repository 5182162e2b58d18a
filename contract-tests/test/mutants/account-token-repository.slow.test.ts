import { MemoryAccountTokenRepository } from '@palimpsest/memory';
import { describeAccountTokenRepository } from '../../src/index.ts';
import { describeStoreMutants, turn, wholeMs } from './mutant.ts';

describeStoreMutants(
  'AccountTokenRepository',
  describeAccountTokenRepository,
  (store) => new MemoryAccountTokenRepository(store),
  {
    'lets the token that is issued last win instead of the newest': (sound, { accountTokens }) => ({
      issue: async (token) => {
        for (const [place, stored] of accountTokens) {
          const isSame = stored.token.accountId === token.accountId && stored.token.purpose === token.purpose;
          if (isSame && stored.token.digest !== token.digest) accountTokens.delete(place);
        }
        return await sound.issue(token);
      },
    }),
    'keeps the older token in force beside the newer one': (sound, { accountTokens }) => ({
      issue: async (token) => {
        const before = [...accountTokens];
        const issued = await sound.issue(token);
        for (const [place, old] of before) {
          if (issued && old.token.digest !== token.digest) accountTokens.set(`${place} ${old.token.digest}`, old);
        }
        return issued;
      },
    }),
    'gives an account one token for all purposes': (sound, { accountTokens }) => ({
      issue: async (token) => {
        for (const [place, { token: old }] of accountTokens) {
          if (old.accountId === token.accountId && old.purpose !== token.purpose) accountTokens.delete(place);
        }
        return await sound.issue(token);
      },
    }),
    'puts a spent token in force again': (sound, { accountTokens }) => ({
      issue: async (token) => {
        for (const stored of accountTokens.values()) if (stored.token.digest === token.digest) stored.spent = false;
        return await sound.issue(token);
      },
    }),
    'looks up the older token and stores later, not atomically': (sound, { accountTokens }) => ({
      issue: async (token) => {
        const before = structuredClone([...accountTokens]);
        await turn();
        const later = [...accountTokens];
        accountTokens.clear();
        for (const [place, stored] of before) accountTokens.set(place, stored);
        const issued = await sound.issue(token);
        for (const [place, stored] of later) if (!accountTokens.has(place)) accountTokens.set(place, stored);
        return issued;
      },
    }),
    'stores whole milliseconds only': (sound) => ({
      issue: (token) => sound.issue({ ...token, requestedAt: wholeMs(token.requestedAt) }),
    }),
    'finds spent tokens': (_sound, { accountTokens }) => ({
      find: async (digest, purpose) =>
        accountTokens.values().find(({ token }) => token.digest === digest && token.purpose === purpose)?.token,
    }),
    'finds a token whatever its purpose is': (sound) => ({
      find: async (digest) =>
        (await sound.find(digest, 'verify-email')) ?? (await sound.find(digest, 'reset-password')),
    }),
    'compares digests without regard to case': (_sound, { accountTokens }) => ({
      find: async (digest, purpose) => {
        const lower = digest.toLowerCase();
        const found = accountTokens
          .values()
          .find(({ token, spent }) => !spent && token.digest.toLowerCase() === lower && token.purpose === purpose);
        return structuredClone(found?.token);
      },
    }),
    'finds the token and spends it later, not atomically': (sound) => ({
      spend: async (digest, purpose) => {
        if ((await sound.find(digest, purpose)) === undefined) return false;
        await turn();
        await sound.spend(digest, purpose);
        return true;
      },
    }),
    'removes the tokens of all accounts': (_sound, { accountTokens }) => ({
      removeAllOf: async () => accountTokens.clear(),
    }),
    'does not remove spent tokens': (sound, { accountTokens }) => ({
      removeExpired: async (moment) => {
        const spent = [...accountTokens].filter(([, stored]) => stored.spent);
        for (const [place] of spent) accountTokens.delete(place);
        const count = await sound.removeExpired(moment);
        for (const [place, stored] of spent) accountTokens.set(place, stored);
        return count;
      },
    }),
    'removes expired tokens one microsecond early': (sound) => ({
      removeExpired: (moment) => sound.removeExpired(moment + 1),
    }),
  },
);

import type { AccountToken, AccountTokenRepository, TokenPurpose } from '@palimpsest/core';
import { mutant, secondHandleElsewhere, type Mutant, type Mutants } from './mutant.ts';

interface Row {
  token: AccountToken;
  spent: boolean;
}

/** How a repository of the mutants' own decides. */
interface Rules {
  readonly placeOf: (token: AccountToken) => string;
  readonly isSame: (stored: AccountToken, token: AccountToken) => boolean;
  readonly again: (row: Row, token: AccountToken) => boolean;
  readonly replaces: (stored: Row, token: AccountToken) => boolean;
  readonly isFound: (row: Row, digest: string, purpose: TokenPurpose) => boolean;
  readonly isSpendable: (row: Row, digest: string, purpose: TokenPurpose) => boolean;
  readonly mayRemove: (row: Row) => boolean;
  /** Whether others get in between reading a row and writing it. */
  readonly pauses: 'issue' | 'spend' | undefined;
}

const matches = (row: Row, digest: string, purpose: TokenPurpose): boolean =>
  !row.spent && row.token.digest === digest && row.token.purpose === purpose;

const soundRules: Rules = {
  placeOf: ({ accountId, purpose }) => JSON.stringify([accountId, purpose]),
  isSame: (stored, token) => stored.digest === token.digest,
  again: (row, { expiresAt }) => {
    if (row.spent) return false;
    row.token = { ...row.token, expiresAt };
    return true;
  },
  replaces: ({ token: stored }, token) => stored.requestedAt < token.requestedAt,
  isFound: matches,
  isSpendable: matches,
  mayRemove: () => true,
  pauses: undefined,
};

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const ruled = (given: Partial<Rules>): Mutant<AccountTokenRepository> =>
  mutant<AccountTokenRepository>(() => {
    const rules = { ...soundRules, ...given };
    const rows = new Map<string, Row>();
    const removeWhere = (isOver: (token: AccountToken) => boolean): number => {
      const over = [...rows].filter(([, row]) => isOver(row.token) && rules.mayRemove(row));
      for (const [place] of over) rows.delete(place);
      return over.length;
    };
    return () => ({
      issue: async (token) => {
        const place = rules.placeOf(token);
        const row = rows.get(place);
        if (rules.pauses === 'issue') await aTurn();
        if (row !== undefined && rules.isSame(row.token, token)) return rules.again(row, token);
        if (row !== undefined && !rules.replaces(row, token)) return false;
        rows.set(place, { token: { ...token }, spent: false });
        return true;
      },
      find: async (digest, purpose) => {
        const row = rows.values().find((each) => rules.isFound(each, digest, purpose));
        return row && { ...row.token };
      },
      spend: async (digest, purpose) => {
        const row = rows.values().find((each) => rules.isSpendable(each, digest, purpose));
        if (row === undefined) return false;
        if (rules.pauses === 'spend') await aTurn();
        row.spent = true;
        return true;
      },
      removeAllOf: async (accountId) => void removeWhere((token) => token.accountId === accountId),
      removeExpired: async (moment) => removeWhere((token) => token.expiresAt <= moment),
    });
  });

const plain = (change: (sound: AccountTokenRepository) => Partial<AccountTokenRepository>) => mutant(() => change);

const LONG_AGO = 1_700_000_000_000_000;

/** The repository that the mutants with rules of their own are made of passes the suite. */
export const plainAccountTokens: Mutant<AccountTokenRepository> = ruled({});

/** Broken repositories, by what is wrong with them. */
export const accountTokenRepositoryMutants: Mutants<AccountTokenRepository> = {
  'stores nothing': plain(() => ({ issue: async () => true })),
  'says that every token was put in force': plain((sound) => ({
    issue: async (token) => {
      await sound.issue(token);
      return true;
    },
  })),
  'lets the token that comes last win': ruled({ replaces: () => true }),
  'lets the token that comes first win': ruled({ replaces: () => false }),
  'puts a token in the place of one of the same moment': ruled({
    replaces: ({ token: stored }, token) => stored.requestedAt <= token.requestedAt,
  }),
  'goes by which token expires later': ruled({
    replaces: ({ token: stored }, token) => stored.expiresAt < token.expiresAt,
  }),
  'puts any token in the place of a spent one': ruled({
    replaces: (row, token) => row.spent || soundRules.replaces(row, token),
  }),
  'puts no token in the place of a spent one': ruled({
    replaces: (row, token) => !row.spent && soundRules.replaces(row, token),
  }),
  'keeps the older token in force beside the newer': ruled({
    placeOf: ({ accountId, purpose, digest }) => JSON.stringify([accountId, purpose, digest]),
  }),
  'gives an account one token for all purposes': ruled({ placeOf: ({ accountId }) => accountId }),
  'gives all accounts one token': ruled({ placeOf: ({ purpose }) => purpose }),
  'gives one digest to one purpose': ruled({ placeOf: ({ accountId, digest }) => `${accountId} ${digest}` }),
  'refuses the same token once more': ruled({ again: () => false }),
  'does nothing with the same token once more': ruled({ again: (row) => !row.spent }),
  'only ever prolongs the same token': ruled({
    again: (row, { expiresAt }) =>
      soundRules.again(row, { ...row.token, expiresAt: Math.max(expiresAt, row.token.expiresAt) }),
  }),
  'lets a spent token come back': ruled({
    again: (row, token) => {
      row.spent = false;
      return soundRules.again(row, token);
    },
  }),
  'says that a spent token was put in force': ruled({
    again: (row, token) => soundRules.again(row, token) || row.spent,
  }),
  'lets a spent token come back as a newer one': ruled({
    isSame: (stored, token) => stored.digest === token.digest && stored.requestedAt >= token.requestedAt,
  }),
  'finds spent tokens': ruled({
    isFound: ({ token }, digest, purpose) => token.digest === digest && token.purpose === purpose,
  }),
  'finds no expired tokens': ruled({
    isFound: (row, digest, purpose) => matches(row, digest, purpose) && row.token.expiresAt > LONG_AGO,
  }),
  'finds a token whatever its purpose': ruled({
    isFound: ({ token, spent }, digest) => !spent && token.digest === digest,
  }),
  'finds a token without regard to case': plain((sound) => ({
    find: (digest, purpose) => sound.find(digest.toLowerCase(), purpose),
  })),
  'spends a token again and again': ruled({
    isSpendable: ({ token }, digest, purpose) => token.digest === digest && token.purpose === purpose,
  }),
  'spends no expired token': ruled({
    isSpendable: (row, digest, purpose) => matches(row, digest, purpose) && row.token.expiresAt > LONG_AGO,
  }),
  'spends a token whatever its purpose': ruled({
    isSpendable: ({ token, spent }, digest) => !spent && token.digest === digest,
  }),
  'spends any token': ruled({ isSpendable: ({ spent }) => !spent }),
  'spends nothing': plain(() => ({ spend: async () => true })),
  'looks for the token and then spends it': ruled({ pauses: 'spend' }),
  'looks for the older token and then puts in the new one': ruled({ pauses: 'issue' }),
  'forgets a token that is spent': mutant(() => {
    const forgotten = new Set<string>();
    return (sound) => ({
      spend: async (digest, purpose) => {
        const token = await sound.find(digest, purpose);
        const spent = await sound.spend(digest, purpose);
        if (spent && token !== undefined) forgotten.add(JSON.stringify([digest, purpose]));
        return spent;
      },
      issue: async (token) =>
        (await sound.issue(token)) || forgotten.delete(JSON.stringify([token.digest, token.purpose])),
    });
  }),
  'keeps milliseconds': plain((sound) => ({
    issue: (token) => sound.issue({ ...token, requestedAt: Math.floor(token.requestedAt / 1000) * 1000 }),
  })),
  'removes no tokens of an account': plain(() => ({ removeAllOf: async () => {} })),
  'removes tokens of accounts whose id begins alike': mutant(() => {
    const accounts = new Set<string>();
    return (sound) => ({
      issue: async (token) => {
        accounts.add(token.accountId);
        return sound.issue(token);
      },
      removeAllOf: async (accountId) => {
        for (const each of accounts) if (each.startsWith(accountId)) await sound.removeAllOf(each);
      },
    });
  }),
  'removes no spent tokens': ruled({ mayRemove: ({ spent }) => !spent }),
  'removes only spent tokens': ruled({ mayRemove: ({ spent }) => spent }),
  'removes spent tokens before they expire': mutant(() => {
    const spentOf = new Set<string>();
    return (sound) => ({
      spend: async (digest, purpose) => {
        const token = await sound.find(digest, purpose);
        if (token !== undefined) spentOf.add(token.accountId);
        return sound.spend(digest, purpose);
      },
      removeExpired: async (moment) => {
        for (const accountId of spentOf) await sound.removeAllOf(accountId);
        return sound.removeExpired(moment);
      },
    });
  }),
  'removes a microsecond early': plain((sound) => ({ removeExpired: (moment) => sound.removeExpired(moment + 1) })),
  'removes a microsecond late': plain((sound) => ({ removeExpired: (moment) => sound.removeExpired(moment - 1) })),
  'counts nothing of what it removed': plain((sound) => ({
    removeExpired: async (moment) => {
      await sound.removeExpired(moment);
      return 0;
    },
  })),
  'keeps the object that it was given': mutant(() => {
    const given = new Map<string, AccountToken>();
    return (sound) => ({
      issue: async (token) => {
        const issued = await sound.issue(token);
        if (issued) given.set(token.digest + token.purpose, token);
        return issued;
      },
      find: async (digest, purpose) =>
        (await sound.find(digest, purpose)) === undefined ? undefined : given.get(digest + purpose),
    });
  }),
  'gives the same object out twice': mutant(() => {
    const out = new Map<string, AccountToken>();
    return (sound) => ({
      find: async (digest, purpose) => {
        const token = await sound.find(digest, purpose);
        if (token === undefined) return undefined;
        const place = JSON.stringify(token);
        const kept = out.get(place) ?? token;
        out.set(place, kept);
        return kept;
      },
    });
  }),
  'has a second handle that sees nothing': secondHandleElsewhere(),
};

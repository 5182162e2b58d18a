import type { AccountToken, AccountTokenRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { at } from '../kit/samples.ts';
import { anAccountToken } from './samples.ts';

/** The number of concurrent calls. */
export const CONCURRENT = 20;

/** Two handles on one store (or the same handle twice) that concurrent calls use alternately. */
type Handles = readonly [here: AccountTokenRepository, there: AccountTokenRepository];

/** Fails unless the token is valid. */
export const expectValid = async (tokens: AccountTokenRepository, token: AccountToken) =>
  expect(await tokens.find(token.digest, token.purpose)).to.deep.equal(token);

/** Fails if the token is found or can be spent. */
export const expectInvalid = async (tokens: AccountTokenRepository, { digest, purpose }: AccountToken) => {
  expect(await tokens.find(digest, purpose)).to.equal(undefined);
  expect(await tokens.spend(digest, purpose)).to.equal(false);
};

/** Issues many tokens concurrently, not in the order of their times, and expects that only the newest is valid. */
export const raceIssues = async ([here, there]: Handles, accountId: string) => {
  const moments = Array.from({ length: CONCURRENT }, (_, i) => (i * 7 + 3) % CONCURRENT);
  const candidates = moments.map((seconds) => anAccountToken({ accountId, requestedAt: at(seconds) }));
  const issued = await Promise.all(candidates.map((token, i) => (i % 2 === 0 ? here : there).issue(token)));
  const newest = moments.indexOf(CONCURRENT - 1);
  expect(issued[newest]).to.equal(true);
  for (const [i, token] of candidates.entries()) {
    for (const tokens of [here, there])
      await (i === newest ? expectValid(tokens, token) : expectInvalid(tokens, token));
  }
};

/** Spends a token many times concurrently, and expects that one call succeeds. */
export const raceSpends = async ([here, there]: Handles, token: AccountToken) => {
  const spent = await Promise.all(
    Array.from({ length: CONCURRENT }, (_, i) => (i % 2 === 0 ? here : there).spend(token.digest, token.purpose)),
  );
  expect(spent.filter(Boolean)).to.deep.equal([true]);
  for (const tokens of [here, there]) await expectInvalid(tokens, token);
};

import { setImmediate as nextTurn } from 'node:timers/promises';
import { placedTokens, type SearchQuery, type SearchTerm } from '@palimpsest/core';

const NUMBER_DIGITS = 5; // in base 36; greater numbers are longer, and right too
const TOKENS_IN_A_TURN = 20_000;

/**
 * What each word of an owner begins with in the index. Tokens of the core have no underscore, so no owner's words begin
 * like another's.
 */
export const ownerPrefix = (ownerNumber: number): string => `${ownerNumber.toString(36).padStart(NUMBER_DIGITS, '0')}_`;

/** A text as it is indexed: its words, each with the owner's prefix, between blanks. */
export interface IndexedText {
  readonly words: string;
  readonly count: number;
}

/** Makes a text ready for the index, and lets everything else go on meanwhile. */
export const indexedText = async (prefix: string, text: string): Promise<IndexedText> => {
  const parts: string[] = [];
  let part: string[] = [];
  let count = 0;
  for (const { token } of placedTokens(text)) {
    part.push(prefix + token);
    if (++count % TOKENS_IN_A_TURN > 0) continue;
    parts.push(part.join(' '));
    part = [];
    await nextTurn();
  }
  parts.push(part.join(' '));
  return { words: parts.join(' '), count };
};

/** A term in the query language of FTS5: a phrase in quotes, in which nothing is an operator. */
export const phraseOf = (prefix: string, { tokens, isPrefix }: SearchTerm): string => {
  const words = tokens.map((token) => prefix + token).join(' ');
  return `"${words.replaceAll('"', '""')}"${isPrefix ? '*' : ''}`;
};

/** What matches any of the terms, of which there is one at least. */
export const anyOf = (prefix: string, terms: readonly SearchTerm[]): string =>
  `(${terms.map((term) => phraseOf(prefix, term)).join(' OR ')})`;

/** The entries of the owner that match `query`. */
export const matchOf = (prefix: string, { all, none }: SearchQuery): string => {
  const wanted = all.length === 0 ? `"${prefix}"` : all.map((term) => phraseOf(prefix, term)).join(' AND ');
  return none.length === 0 ? `(${wanted})` : `((${wanted}) NOT ${anyOf(prefix, none)})`;
};

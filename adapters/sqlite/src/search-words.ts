import { setImmediate as nextTurn } from 'node:timers/promises';
import { placedTokens, type SearchQuery, type SearchTerm } from '@palimpsest/core';

const NUMBER_DIGITS = 5; // in base 36; greater numbers are longer, and right too
const TOKENS_IN_A_TURN = 20_000;

/**
 * What each word of an owner begins with in the full-text index. Tokens of the core have no underscore, so no owner's words
 * begin like another's.
 */
export const ownerPrefix = (ownerNumber: number): string => `${ownerNumber.toString(36).padStart(NUMBER_DIGITS, '0')}_`;

/** A text as it is stored. */
export interface IndexedText {
  readonly indexed: string; // its tokens, each with the owner's prefix, between blanks
  readonly plain: string; // its tokens, each with a blank before and after it
}

/** Makes a text ready to be stored, and lets everything else go on meanwhile. */
export const indexedText = async (prefix: string, text: string): Promise<IndexedText> => {
  let indexed = '';
  let plain = ' ';
  let tokens: string[] = [];
  const append = (): void => {
    if (tokens.length === 0) return;
    indexed += ` ${prefix}${tokens.join(` ${prefix}`)}`;
    plain += `${tokens.join(' ')} `;
    tokens = [];
  };
  for (const { token } of placedTokens(text)) {
    tokens.push(token);
    if (tokens.length < TOKENS_IN_A_TURN) continue;
    append();
    await nextTurn();
  }
  append();
  return { indexed, plain };
};

/** A term in the query language of FTS5: a phrase in quotes, in which nothing is an operator. */
const phraseOf = (prefix: string, { tokens, isPrefix }: SearchTerm): string => {
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

/**
 * Entries of the owner among which are all that match `query`: those with each of its whole words, wherever they are. Their
 * texts are to be looked through for what `isScanned` says. FTS5 compares no positions for it.
 */
export const candidatesOf = (prefix: string, { all, none }: SearchQuery): string => {
  const wholeWords = all.flatMap(({ tokens, isPrefix }) => (isPrefix ? tokens.slice(0, -1) : tokens));
  const word = (token: string): SearchTerm => ({ tokens: [token], isPrefix: false });
  return matchOf(prefix, { all: [...new Set(wholeWords)].map(word), none: none.filter((term) => !isScanned(term)) });
};

/** Whether a term is more than one whole word. */
export const isScanned = ({ tokens, isPrefix }: SearchTerm): boolean => isPrefix || tokens.length > 1;

import { setImmediate as nextTurn } from 'node:timers/promises';
import { placedTokens, type SearchQuery, type SearchTerm } from '@palimpsest/core';

const NUMBER_DIGITS = 5; // at least, in base 36
const TOKENS_PER_TURN = 20_000;

/**
 * The prefix of each word of an owner in the full-text index. Tokens of the core contain no underscore, so no word
 * of one owner begins with the prefix of another owner.
 */
export const ownerPrefix = (ownerNumber: number): string => `${ownerNumber.toString(36).padStart(NUMBER_DIGITS, '0')}_`;

/**
 * Adds the tokens of `text` to `words`. Returns all tokens of `text` in order, with a blank before and after each
 * token. Yields to the event loop regularly.
 */
export const spacedWords = async (text: string, words: Set<string>): Promise<string> => {
  let spaced = ' ';
  let tokens: string[] = [];
  const append = (): void => {
    if (tokens.length > 0) spaced += `${tokens.join(' ')} `;
    tokens = [];
  };
  for (const { token } of placedTokens(text)) {
    words.add(token);
    tokens.push(token);
    if (tokens.length < TOKENS_PER_TURN) continue;
    append();
    await nextTurn();
  }
  append();
  return spaced;
};

/** The text of a row of the full-text index. */
export const indexedWords = (prefix: string, words: readonly string[]): string =>
  words.map((word) => prefix + word).join(' ');

/** Whether a term has several words. The full-text index finds the rows that contain all of them, in any order. */
export const isPhrase = ({ tokens }: SearchTerm): boolean => tokens.length > 1;

// Only so many words of a phrase are looked up in the index. Few other entries contain all of them, and the search
// checks phrases in the stored words anyway.
const PHRASE_WORDS = 8;

/** Expressions of FTS5, each for one word or prefix. Quotes make every character a part of the word. */
export interface WordExpressions {
  readonly required: readonly string[]; // at least one: if a query has no terms, the word that all rows of the owner contain
  readonly excluded: readonly string[];
}

/**
 * The words that an entry of the owner must contain, or must not contain, to match `query`. These conditions are
 * necessary but not sufficient: they do not cover excluded phrases, the order of words, and the later words of a long
 * phrase.
 */
export const wordExpressions = (prefix: string, { all, none }: SearchQuery): WordExpressions => {
  const expressionsOf = ({ tokens, isPrefix }: SearchTerm): readonly string[] =>
    tokens
      .slice(0, PHRASE_WORDS)
      .map(
        (token, i) => `"${(prefix + token).replaceAll('"', '""')}"${isPrefix && i === tokens.length - 1 ? '*' : ''}`,
      );
  const required = [...new Set(all.flatMap(expressionsOf))];
  return {
    required: required.length === 0 ? [`"${prefix}"`] : required,
    excluded: none.filter((term) => !isPhrase(term)).flatMap(expressionsOf),
  };
};

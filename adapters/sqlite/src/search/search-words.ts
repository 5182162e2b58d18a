import { setImmediate as nextTurn } from 'node:timers/promises';
import { placedTokens, type SearchQuery, type SearchTerm } from '@palimpsest/core';

const NUMBER_DIGITS = 5; // in base 36; greater numbers have more digits and work, too
const TOKENS_PER_TURN = 20_000;

/**
 * The prefix of each word of an owner in the full-text index. Tokens of the core contain no underscore, so the words of
 * two owners never begin alike.
 */
export const ownerPrefix = (ownerNumber: number): string => `${ownerNumber.toString(36).padStart(NUMBER_DIGITS, '0')}_`;

/**
 * Adds the tokens of `text` to `words`, and returns all of them in order, each with a blank before and after it. Yields to
 * the event loop.
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

/** Whether a term has several words. The full-text index finds the rows that have all of them, in any order. */
export const isPhrase = ({ tokens }: SearchTerm): boolean => tokens.length > 1;

// Later words of a phrase are not looked up: few other entries have all of the first ones, and phrases are read anyway.
const PHRASE_WORDS = 8;

/** Expressions of FTS5, each for one word or prefix. Quotes make every character a part of the word. */
export interface WordExpressions {
  readonly required: readonly string[]; // one at least: a query without terms requires the word that all rows of the owner have
  readonly excluded: readonly string[];
}

/**
 * Words that an owner's entry must have, and must not have, to match `query`. Entries that have them may still not match: it
 * leaves out excluded phrases, the order of words, and all but the first words of a phrase.
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

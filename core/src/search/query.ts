import { AppError } from '../errors.ts';
import { placedTokens } from './tokens.ts';

export const MAX_QUERY_CHARACTERS = 500;
/** The words of phrases are counted. In scripts without spaces each character counts as a word. */
export const MAX_QUERY_WORDS = 32;

/** Tokens that follow each other: one word, a phrase, or the characters of one word of a script without spaces. */
export interface SearchTerm {
  readonly tokens: readonly string[]; // at least one
  readonly isPrefix: boolean; // the last token matches every token that begins with it
}

/** A document matches if it has each term of `all` and no term of `none`. */
export interface SearchQuery {
  readonly all: readonly SearchTerm[];
  readonly none: readonly SearchTerm[];
}

// A minus at the beginning of a word, then a word or a quoted phrase. A phrase without a closing quote ends with the query.
// Quotes of any kind open and close a phrase, because users paste text with typographic quotes. No part can match in two
// ways, so the time is linear.
const PART =
  /(?:(?<=^|\p{White_Space})([-－])(?=[\p{L}\p{N}\p{M}"＂„“”‟«»]))?(?:["＂„“”‟«»]([^"＂„“”‟«»]*)(?:["＂„“”‟«»]([*＊])?|$)|([^\p{White_Space}"＂„“”‟«»]+))/gu;
const STAR = /^[*＊]/;

const distinct = (terms: readonly SearchTerm[]): readonly SearchTerm[] => [
  ...new Map(terms.map((term) => [`${term.tokens.join(' ')}${term.isPrefix ? '*' : ''}`, term])).values(),
];

/**
 * Reads a query. All words must occur: `word`, `"a phrase"` (also in typographic quotes), `prefix*` and `"the last word
 * is a pref"*`. `-word`, `-"a phrase"` and `-prefix*` must not occur. Nothing else is an operator: `AND`, `OR`, `NOT`
 * and `NEAR` are words, and all other signs separate words, as they do in texts (see {@link placedTokens}). A word of
 * several tokens (e-mail, 2024/001, 東京都) is a phrase. A minus is an operator only at the beginning of a word and
 * directly before a letter, a number or a quote. A star is an operator only directly after the last letter or number of
 * a word, or after a closing quote. Parts without a token are ignored, and so are repeated terms. If all parts are
 * ignored, the query has no terms. Accepts any string and never throws.
 */
export const parseSearchQuery = (q: string): SearchQuery => {
  const all: SearchTerm[] = [];
  const none: SearchTerm[] = [];
  for (const [, minus, phrase, star, word = ''] of q.matchAll(PART)) {
    const placed = [...placedTokens(phrase ?? word)];
    const last = placed.at(-1);
    if (last === undefined) continue;
    const isPrefix = phrase === undefined ? STAR.test(word.slice(last.end, last.end + 1)) : star !== undefined;
    (minus === undefined ? all : none).push({ tokens: placed.map(({ token }) => token), isPrefix });
  }
  return { all: distinct(all), none: distinct(none) };
};

/**
 * Reads the query of a client (see {@link parseSearchQuery}). Throws `VALIDATION_ERROR` if it is blank, or has more
 * than {@link MAX_QUERY_CHARACTERS} characters (code points) or {@link MAX_QUERY_WORDS} words. It may have no word at
 * all.
 */
export const clientSearchQuery = (q: string): SearchQuery => {
  if (q.trim() === '') throw new AppError('VALIDATION_ERROR', 'q: give the words to search for.');
  if (q.length > 2 * MAX_QUERY_CHARACTERS || [...q].length > MAX_QUERY_CHARACTERS) {
    throw new AppError('VALIDATION_ERROR', `q: use at most ${MAX_QUERY_CHARACTERS} characters.`);
  }
  const query = parseSearchQuery(q);
  const words = [...query.all, ...query.none].reduce((sum, { tokens }) => sum + tokens.length, 0);
  if (words > MAX_QUERY_WORDS) {
    throw new AppError(
      'VALIDATION_ERROR',
      `q: use at most ${MAX_QUERY_WORDS} words, words of phrases included. In scripts without spaces each character counts as a word.`,
    );
  }
  return query;
};

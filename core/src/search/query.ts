import { AppError } from '../errors.ts';
import { placedTokens } from './tokens.ts';

export const MAX_QUERY_CHARACTERS = 500;

/** Tokens that follow each other: one word, a phrase, or what one word of a script without spaces falls into. */
export interface SearchTerm {
  readonly tokens: readonly string[]; // at least one
  readonly isPrefix: boolean; // the last token stands for every token that begins with it
}

/** What a document must have, and what it must not. */
export interface SearchQuery {
  readonly all: readonly SearchTerm[];
  readonly none: readonly SearchTerm[];
}

// A minus at the begin of a word, then what is between quotes (an unclosed one runs to the end) or a word. Quotes of any
// kind open and close, as people paste them; no part can match in two ways, so the time is linear.
const PART =
  /(?:(?<=^|\p{White_Space})([-－])(?=[\p{L}\p{N}\p{M}"＂„“”‟«»]))?(?:["＂„“”‟«»]([^"＂„“”‟«»]*)(?:["＂„“”‟«»]([*＊])?|$)|([^\p{White_Space}"＂„“”‟«»]+))/gu;
const STAR = /^[*＊]/;

const distinct = (terms: readonly SearchTerm[]): readonly SearchTerm[] => [
  ...new Map(terms.map((term) => [`${term.tokens.join(' ')}${term.isPrefix ? '*' : ''}`, term])).values(),
];

/**
 * `q` if it can be a query: not blank, at most {@link MAX_QUERY_CHARACTERS} characters (code points). Otherwise throws
 * `VALIDATION_ERROR`. There need not be a word in it.
 */
export const searchQueryText = (q: string): string => {
  if (q.trim() === '') throw new AppError('VALIDATION_ERROR', 'q: give the words to search for.');
  if (q.length > 2 * MAX_QUERY_CHARACTERS || [...q].length > MAX_QUERY_CHARACTERS) {
    throw new AppError('VALIDATION_ERROR', `q: use at most ${MAX_QUERY_CHARACTERS} characters.`);
  }
  return q;
};

/**
 * What is asked for. All words must be there: `word`, `"a phrase"` (also in typographic quotes), `prefix*` and `"the last
 * word is a pref"*`; `-word`, `-"a phrase"` and `-prefix*` must not. Nothing else has a meaning: `AND`, `OR`, `NOT` and
 * `NEAR` are words, and all other signs separate, as they do in texts (see {@link placedTokens}). A word that falls into
 * several tokens (e-mail, 2024/001, 東京都) is a phrase. A minus counts directly before a letter, a number or a quote, at
 * the begin of a word; a star directly after the last letter or number of a word, or after a closing quote. What holds
 * no token vanishes, and what is said twice counts once, so there may be no term at all. Takes any string of any length
 * and never throws.
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

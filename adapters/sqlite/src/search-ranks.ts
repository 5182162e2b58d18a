import type { SearchTerm } from '@palimpsest/core';
import type { Database } from './database.ts';
import { phraseOf } from './search-words.ts';

/** More terms than these are looked for and do not count for the order. */
const RANKED_TERMS = 32;

// A text of so many words is neither long nor short.
const COMMON_WORDS = 500;
const SCALE = 1e12;

/** An entry that matches. */
export interface FoundEntry {
  readonly entry_id: number;
  readonly document_id: string;
  readonly text_words: number;
}

/** How good a match is: the terms in the title, those in the file name, and a measure of how often the text has them. */
interface Rank {
  titles: number;
  filenames: number;
  often: number; // whole, so that it adds up exactly
}

interface Values {
  readonly entry_id: number;
  readonly title: number;
  readonly filename: number;
  readonly once: number;
  readonly twice: number;
}

/*
 * FTS5 tells how often a phrase occurs in a column in the value of bm25() alone (https://www.sqlite.org/fts5.html, section
 * 5.1.1), which for one phrase, with the weight w for one column and 0 for all others, is
 *
 *     -c * w f / (w f + k)
 *
 * f: occurrences in the column, c: the same for all entries, k: the same for all phrases in an entry. c and k depend on
 * all entries of all owners, so the value itself is no measure. But from the values for w = 1 and w = 2 comes k / f without
 * c; and as the column `owner` of each entry has exactly one word, k itself is had from that in the same way.
 */
const VALUES = `
  SELECT rowid AS entry_id, bm25(search_words, 0, 1, 0, 0) AS title, bm25(search_words, 0, 0, 1, 0) AS filename,
    bm25(search_words, 0, 0, 0, 1) AS once, bm25(search_words, 0, 0, 0, 2) AS twice
  FROM search_words WHERE search_words MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`;
const OWNER_VALUES = `
  SELECT rowid AS entry_id, bm25(search_words, 1, 0, 0, 0) AS once, bm25(search_words, 2, 0, 0, 0) AS twice
  FROM search_words WHERE search_words MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`;

/** f / k */
const perK = ({ once, twice }: Pick<Values, 'once' | 'twice'>): number => {
  const ratio = twice / once; // 2 (f + k) / (2 f + k)
  return once === 0 ? 0 : (2 - ratio) / (2 * ratio - 2);
};

/** 0 to `SCALE`: grows with the occurrences, ever more slowly, and the sooner the shorter the text is. */
const oftenness = (occurrences: number, words: number): number =>
  Math.round((SCALE * occurrences) / (occurrences + 0.3 + (0.9 * words) / COMMON_WORDS));

const keyOf = (term: SearchTerm): string => JSON.stringify([term.tokens, term.isPrefix]);

/**
 * `found` with the best matches of `terms` first; what is equally good stays in its order. Runs inside a transaction. The
 * order depends on nothing but the entries that are given.
 */
export const bestFirst = (
  database: Database,
  prefix: string,
  terms: readonly SearchTerm[],
  found: readonly FoundEntry[],
): readonly FoundEntry[] => {
  const ranked = [...new Map(terms.map((term) => [keyOf(term), term])).values()].slice(0, RANKED_TERMS);
  if (ranked.length === 0 || found.length < 2) return found;
  const ids = JSON.stringify(found.map((entry) => entry.entry_id));
  const perKOfOne = new Map(database.all<Values>(OWNER_VALUES, `"${prefix}"`, ids).map((row) => [row.entry_id, perK(row)]));
  const words = new Map(found.map((entry) => [entry.entry_id, entry.text_words]));
  const ranks = new Map<number, Rank>(found.map((entry) => [entry.entry_id, { titles: 0, filenames: 0, often: 0 }]));
  for (const term of ranked) {
    for (const row of database.all<Values>(VALUES, phraseOf(prefix, term), ids)) {
      const rank = ranks.get(row.entry_id);
      if (rank === undefined) continue;
      if (row.title !== 0) rank.titles++;
      if (row.filename !== 0) rank.filenames++;
      const occurrences = Math.round(perK(row) / (perKOfOne.get(row.entry_id) ?? 1));
      rank.often += oftenness(occurrences, words.get(row.entry_id) ?? 0);
    }
  }
  const rankOf = (entry: FoundEntry): Rank => ranks.get(entry.entry_id) ?? { titles: 0, filenames: 0, often: 0 };
  return found.toSorted((left, right) => {
    const a = rankOf(left);
    const b = rankOf(right);
    return b.titles - a.titles || b.filenames - a.filenames || b.often - a.often;
  });
};

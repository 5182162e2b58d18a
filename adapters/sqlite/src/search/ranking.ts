import { frequencyScore, MAX_COUNTED_CHARACTERS, type SearchTerm } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { TermFinder } from './term-finder.ts';

// If more entries match, they are sorted only by time, the newest first.
const MAX_RANKED_ENTRIES = 100_000;

/** An entry that matches a query. */
export interface FoundEntry {
  readonly entry_id: number;
  readonly document_id: string;
  readonly names_length: number;
  readonly text_length: number;
}

/** The words of an entry, each between blanks. */
export interface EntryWords {
  readonly entry_id: number;
  readonly title: string;
  readonly filename: string;
  readonly text: string;
}

/** The number of terms in the title and in the file name, and a score of the occurrences in the text. */
type Rank = readonly [titles: number, filenames: number, score: number];

const WITH_TEXT = 'SELECT * FROM search_texts WHERE entry_id = ?';
const WITHOUT_TEXT = `SELECT entry_id, title, filename, '' AS text FROM search_texts WHERE entry_id = ?`;

const rankOf = ({ title, filename, text }: EntryWords, finders: readonly TermFinder[]): Rank => [
  finders.filter((finder) => finder.isIn(title)).length,
  finders.filter((finder) => finder.isIn(filename)).length,
  finders.reduce((sum, finder) => sum + frequencyScore(finder.countIn(text), text.length), 0),
];

/** Sorts `found`: the best matches of `terms` first. Equal matches keep their order. Runs inside a transaction. */
export const bestFirst = (
  database: Database,
  terms: readonly SearchTerm[],
  found: readonly FoundEntry[],
): readonly FoundEntry[] => {
  if (terms.length === 0 || found.length < 2 || found.length > MAX_RANKED_ENTRIES) return found;
  const characters = found.reduce((sum, entry) => sum + entry.names_length + entry.text_length, 0) * terms.length;
  const sql = characters <= MAX_COUNTED_CHARACTERS ? WITH_TEXT : WITHOUT_TEXT;
  const finders = terms.map((term) => new TermFinder(term));
  const ranked = found.map((entry) => {
    const words = database.one<EntryWords>(sql, entry.entry_id);
    return { entry, rank: words === undefined ? ([0, 0, 0] as const) : rankOf(words, finders) };
  });
  ranked.sort(
    ({ rank: [titles, filenames, score] }, { rank: [otherTitles, otherFilenames, otherScore] }) =>
      otherTitles - titles || otherFilenames - filenames || otherScore - score,
  );
  return ranked.map(({ entry }) => entry);
};

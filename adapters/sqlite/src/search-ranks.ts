import type { SearchTerm } from '@palimpsest/core';
import type { Database } from './database.ts';
import { occurrencesIn } from './search-words.ts';

/** So many characters are looked through at most, once for each term, to count what is in texts. */
const COUNTED_CHARACTERS = 16 * 1024 * 1024;

// A text of so many characters is neither long nor short.
const COMMON_LENGTH = 3000;
const SCALE = 1e12;

/** An entry that a search found. */
export interface FoundEntry {
  readonly entry_id: number;
  readonly document_id: string;
  readonly text_length: number;
}

interface Words {
  readonly entry_id: number;
  readonly title: string;
  readonly filename: string;
  readonly text: string;
}

/** How good a match is: the terms in the title, those in the file name, and a measure of how often they are in the text. */
type Rank = readonly [titles: number, filenames: number, often: number];

const WITH_TEXT = 'SELECT * FROM search_texts WHERE entry_id IN (SELECT value FROM json_each(?))';
const WITHOUT_TEXT = `SELECT entry_id, title, filename, '' AS text FROM search_texts WHERE entry_id IN (SELECT value FROM json_each(?))`;

/**
 * 0 to `SCALE`, whole, so that it adds up exactly: grows with the occurrences, ever more slowly, and sooner in a shorter
 * text. (The form of BM25 with its usual constants, k1 = 1.2 and b = 0.75, and a fixed length for the mean one.)
 */
const oftenness = (occurrences: number, length: number): number =>
  Math.round((SCALE * occurrences) / (occurrences + 0.3 + (0.9 * length) / COMMON_LENGTH));

const rankOf = ({ title, filename, text }: Words, terms: readonly SearchTerm[]): Rank => [
  terms.filter((term) => occurrencesIn(title, term) > 0).length,
  terms.filter((term) => occurrencesIn(filename, term) > 0).length,
  terms.reduce((sum, term) => sum + oftenness(occurrencesIn(text, term), text.length), 0),
];

/**
 * `found` with the best matches of `terms` first; what is equally good stays in its order. What is in texts counts where they
 * are not too much to look through. Runs inside a transaction.
 */
export const bestFirst = (database: Database, terms: readonly SearchTerm[], found: readonly FoundEntry[]): readonly FoundEntry[] => {
  if (terms.length === 0 || found.length < 2) return found;
  const characters = found.reduce((sum, entry) => sum + entry.text_length, 0) * terms.length;
  const rows = database.all<Words>(
    characters <= COUNTED_CHARACTERS ? WITH_TEXT : WITHOUT_TEXT,
    JSON.stringify(found.map((entry) => entry.entry_id)),
  );
  const ranks = new Map(rows.map((row) => [row.entry_id, rankOf(row, terms)]));
  const rank = (entry: FoundEntry): Rank => ranks.get(entry.entry_id) ?? [0, 0, 0];
  return found.toSorted((left, right) => {
    const [titles, filenames, often] = rank(left);
    const [otherTitles, otherFilenames, otherOften] = rank(right);
    return otherTitles - titles || otherFilenames - filenames || otherOften - often;
  });
};

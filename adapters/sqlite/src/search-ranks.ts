import type { SearchTerm } from '@palimpsest/core';
import type { Database } from './database.ts';
import { TermFinder } from './term-finder.ts';

/** Where more entries match, their order is a plainer one. */
export const RANKED_ENTRIES = 5000;
/** So many characters are looked through at most, once for each term. */
const COUNTED_CHARACTERS = 16 * 1024 * 1024;
// To begin with an entry takes as long as so many characters.
const ENTRY_CHARACTERS = 20;

// A text of so many characters is neither long nor short.
const COMMON_LENGTH = 3000;
const SCALE = 1e12;

/** An entry that a search found. */
export interface FoundEntry {
  readonly entry_id: number;
  readonly document_id: string;
  readonly names_length: number;
  readonly text_length: number;
}

/** The `plain` words of an entry. */
export interface EntryWords {
  readonly entry_id: number;
  readonly title: string;
  readonly filename: string;
  readonly text: string;
}

/** How good a match is: the terms in the title, those in the file name, and a measure of how often they are in the text. */
type Rank = readonly [titles: number, filenames: number, often: number];

/** How entries can be ranked. */
export interface Ranking {
  readonly isByText: boolean; // or by title and file name only
  readonly characters: number; // to be looked through
}

const WITH_TEXT = 'SELECT * FROM search_texts WHERE entry_id IN (SELECT value FROM json_each(?))';
const WITHOUT_TEXT = `SELECT entry_id, title, filename, '' AS text FROM search_texts WHERE entry_id IN (SELECT value FROM json_each(?))`;

/**
 * 0 to `SCALE`, whole, so that it adds up exactly: grows with the occurrences, ever more slowly, and sooner in a shorter
 * text. (The form of BM25 with its usual constants, k1 = 1.2 and b = 0.75, and a fixed length for the mean one.)
 */
const oftenness = (occurrences: number, length: number): number =>
  Math.round((SCALE * occurrences) / (occurrences + 0.3 + (0.9 * length) / COMMON_LENGTH));

const rankOf = ({ title, filename, text }: EntryWords, finders: readonly TermFinder[]): Rank => [
  finders.filter((finder) => finder.isIn(title)).length,
  finders.filter((finder) => finder.isIn(filename)).length,
  finders.reduce((sum, finder) => sum + oftenness(finder.countIn(text), text.length), 0),
];

/** How `found` can be ranked by `termCount` terms; `undefined` if that is too much. */
export const rankingOf = (termCount: number, found: readonly FoundEntry[]): Ranking | undefined => {
  if (found.length > RANKED_ENTRIES) return undefined;
  if (termCount === 0 || found.length < 2) return { isByText: false, characters: 0 };
  const names = found.reduce((sum, entry) => sum + entry.names_length + ENTRY_CHARACTERS, 0) * termCount;
  const all = names + found.reduce((sum, entry) => sum + entry.text_length, 0) * termCount;
  if (all <= COUNTED_CHARACTERS) return { isByText: true, characters: all };
  return names <= COUNTED_CHARACTERS ? { isByText: false, characters: names } : undefined;
};

/** `found` with the best matches of `terms` first; what is equally good stays in its order. Runs inside a transaction. */
export const bestFirst = (
  database: Database,
  terms: readonly SearchTerm[],
  found: readonly FoundEntry[],
  { isByText, characters }: Ranking,
): readonly FoundEntry[] => {
  if (characters === 0) return found;
  const finders = terms.map((term) => new TermFinder(term));
  const rows = database.all<EntryWords>(
    isByText ? WITH_TEXT : WITHOUT_TEXT,
    JSON.stringify(found.map((entry) => entry.entry_id)),
  );
  const ranks = new Map(rows.map((row) => [row.entry_id, rankOf(row, finders)]));
  const rank = (entry: FoundEntry): Rank => ranks.get(entry.entry_id) ?? [0, 0, 0];
  return found.toSorted((left, right) => {
    const [titles, filenames, often] = rank(left);
    const [otherTitles, otherFilenames, otherOften] = rank(right);
    return otherTitles - titles || otherFilenames - filenames || otherOften - often;
  });
};

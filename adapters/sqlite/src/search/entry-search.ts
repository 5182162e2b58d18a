import type { Page, PageRequest, SearchQuery, SearchTerm } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { bestFirst, type EntryWords, type FoundEntry } from './ranking.ts';
import { isPhrase, ownerPrefix, wordExpressions, type WordExpressions } from './search-words.ts';
import { TermFinder } from './term-finder.ts';

/** An entry that has all required words. */
interface Candidate extends FoundEntry {
  readonly is_in_parts: number;
}

const WHOLE_ENTRIES = 'SELECT rowid AS entry_id FROM search_words WHERE search_words MATCH ? AND rowid > 0';
const ENTRIES_IN_PARTS = `
  SELECT DISTINCT entry_id FROM search_words
  CROSS JOIN search_parts ON part_id = -search_words.rowid
  CROSS JOIN search_entries USING (document_id, write_id)
  WHERE search_words MATCH ? AND search_words.rowid < 0`;
const NEWEST_FIRST = `
  SELECT entry_id, document_id, names_length, text_length, write_id IS NOT NULL AS is_in_parts FROM search_entries
  WHERE owner_number = ? AND entry_id IN (SELECT value FROM json_each(?))
  ORDER BY received_at DESC, document_id DESC`;
const WORDS = 'SELECT * FROM search_texts WHERE entry_id = ?';

const idsOf = (database: Database, sql: string, expression: string): readonly number[] =>
  database.all<{ readonly entry_id: number }>(sql, expression).map((row) => row.entry_id);

/** The entries in one row that have all required words and no excluded one. */
const wholeEntries = (database: Database, { required, excluded }: WordExpressions): readonly number[] => {
  const wanted = `(${required.join(' AND ')})`;
  return idsOf(database, WHOLE_ENTRIES, excluded.length === 0 ? wanted : `${wanted} NOT (${excluded.join(' OR ')})`);
};

/** The entries in several rows that have all required words, each in any of their rows. */
const entriesInParts = (database: Database, { required }: WordExpressions): readonly number[] => {
  const [first = '', ...others] = required;
  let found = idsOf(database, ENTRIES_IN_PARTS, first);
  for (const expression of others) {
    if (found.length === 0) break;
    const having = new Set(idsOf(database, ENTRIES_IN_PARTS, expression));
    found = found.filter((id) => having.has(id));
  }
  return found;
};

const findersOf = (terms: readonly SearchTerm[]): readonly TermFinder[] => terms.map((term) => new TermFinder(term));

/**
 * The candidates that match the query. Reads the words of a candidate only for a condition that the full-text index
 * cannot check: a phrase, or an exclusion from an entry in parts.
 */
const matching = (
  database: Database,
  candidates: readonly Candidate[],
  { all, none }: SearchQuery,
): readonly Candidate[] => {
  const wanted = findersOf(all.filter(isPhrase));
  const unwanted = { whole: findersOf(none.filter(isPhrase)), inParts: findersOf(none) };
  return candidates.filter((entry) => {
    const excluded = entry.is_in_parts === 1 ? unwanted.inParts : unwanted.whole;
    if (wanted.length + excluded.length === 0) return true;
    const words = database.one<EntryWords>(WORDS, entry.entry_id);
    if (words === undefined) return false;
    const isThere = (finder: TermFinder): boolean =>
      finder.isIn(words.title) || finder.isIn(words.filename) || finder.isIn(words.text);
    return wanted.every(isThere) && !excluded.some(isThere);
  });
};

/**
 * The result of a search. Runs inside a transaction. Uses FTS5 only for single words and prefixes: if texts repeat a
 * word, FTS5 compares the positions of a phrase for many seconds, and nothing can interrupt it. Everything else is
 * JavaScript, which ends with its thread.
 */
export const searchEntries = (
  database: Database,
  ownerNumber: number,
  query: SearchQuery,
  { limit, offset }: PageRequest,
): Page<string> => {
  const expressions = wordExpressions(ownerPrefix(ownerNumber), query);
  const ids = [...wholeEntries(database, expressions), ...entriesInParts(database, expressions)];
  const candidates = database.all<Candidate>(NEWEST_FIRST, ownerNumber, JSON.stringify(ids));
  const found = bestFirst(database, query.all, matching(database, candidates, query));
  return { items: found.slice(offset, offset + limit).map((entry) => entry.document_id), total: found.length };
};

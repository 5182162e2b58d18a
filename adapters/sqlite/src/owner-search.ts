import type { Page, PageRequest, SearchQuery } from '@palimpsest/core';
import type { Database } from './database.ts';
import { nanosecondsOf, type OwnerEntries } from './search-costs.ts';
import { bestFirst, RANKED_ENTRIES, rankingOf, type EntryWords, type FoundEntry } from './search-ranks.ts';
import { anyOf, candidatesOf, isScanned, matchOf, ownerPrefix } from './search-words.ts';
import { TermFinder } from './term-finder.ts';

/** An owner in the index. */
export interface Owner extends OwnerEntries {
  readonly owner_number: number;
}

interface Found {
  readonly count: number;
  readonly ids: string; // a JSON array
}

// What finding takes at most in a short search; usual ones take a few milliseconds. A thread takes 0.1 to 0.3 s to begin.
const SHORT_NS = 50e6;
const SHORT_CHARACTERS = 1.5 * 1024 * 1024; // ranked in 5 to 20 ms
// Beyond this, FTS5 is not asked for phrases and prefixes, and everything that takes long is JavaScript, which can be stopped.
const LONGEST_NS = 1e9;

const FOUND_UP_TO = `
  SELECT count(*) AS count, json_group_array(rowid) AS ids
  FROM (SELECT rowid FROM search_words WHERE search_words MATCH ? LIMIT ?)`;
const FOUND = 'SELECT count(*) AS count, json_group_array(rowid) AS ids FROM search_words WHERE search_words MATCH ?';
const FOUND_ENTRIES = `
  SELECT entry_id, document_id, names_length, text_length FROM search_entries WHERE entry_id IN (SELECT value FROM json_each(?))
  ORDER BY received_at DESC, document_id DESC`;
const WORDS = 'SELECT * FROM search_texts WHERE entry_id = ?';
const NEWEST_FIRST = `
  SELECT document_id FROM search_entries INDEXED BY search_entries_listed
  WHERE owner_number = ? AND entry_id IN (SELECT value FROM json_each(?))
  ORDER BY received_at DESC, document_id DESC LIMIT ? OFFSET ?`;
const MATCHING = '(SELECT rowid FROM search_words WHERE search_words MATCH ?)';
const TITLES_FIRST = `
  SELECT document_id FROM search_entries INDEXED BY search_entries_listed
  WHERE owner_number = ? AND entry_id IN (SELECT value FROM json_each(?))
  ORDER BY entry_id IN ${MATCHING} DESC, entry_id IN ${MATCHING} DESC, received_at DESC, document_id DESC LIMIT ? OFFSET ?`;

const idsIn = (entries: readonly FoundEntry[], { limit, offset }: PageRequest): readonly string[] =>
  entries.slice(offset, offset + limit).map((entry) => entry.document_id);

/** What `query` finds, if it is certain not to hold up the process. Runs inside a transaction, as all searches here. */
export const searchShortly = (
  database: Database,
  owner: Owner,
  query: SearchQuery,
  page: PageRequest,
): Page<string> | undefined => {
  if (nanosecondsOf(query, owner) > SHORT_NS) return undefined;
  const found = database.one<Found>(FOUND_UP_TO, matchOf(ownerPrefix(owner.owner_number), query), RANKED_ENTRIES + 1);
  if (found === undefined || found.count > RANKED_ENTRIES) return undefined;
  const entries = database.all<FoundEntry>(FOUND_ENTRIES, found.ids);
  const ranking = rankingOf(query.all.length, entries);
  if (ranking === undefined || ranking.characters > SHORT_CHARACTERS) return undefined;
  return { items: idsIn(bestFirst(database, query.all, entries, ranking), page), total: found.count };
};

/** Titles with any of the terms first, then file names with any, then the newest. */
const plainly = (
  database: Database,
  { owner_number: owner }: Owner,
  ids: string,
  { all }: SearchQuery,
  { limit, offset }: PageRequest,
) => {
  const rows = (sql: string, ...ofTerms: readonly string[]) =>
    database.all<Pick<FoundEntry, 'document_id'>>(sql, owner, ids, ...ofTerms, limit, offset);
  const any = all.length === 0 ? undefined : anyOf(ownerPrefix(owner), all);
  const found = any === undefined ? rows(NEWEST_FIRST) : rows(TITLES_FIRST, `{title} : ${any}`, `{filename} : ${any}`);
  return found.map((row) => row.document_id);
};

/** {@link searchAtLength} with all phrases and prefixes looked for in the words themselves, one entry after the other. */
export const searchByReading = (
  database: Database,
  owner: Owner,
  query: SearchQuery,
  page: PageRequest,
): Page<string> => {
  const finders = query.all.map((term) => ({ finder: new TermFinder(term), isScanned: isScanned(term) }));
  const unwanted = query.none.filter(isScanned).map((term) => new TermFinder(term));
  const fieldsOf = ({ title, filename, text }: EntryWords): readonly string[] => [title, filename, text];
  const candidates = database.one<Found>(FOUND, candidatesOf(ownerPrefix(owner.owner_number), query))?.ids ?? '[]';
  const found: FoundEntry[] = [];
  const goodNames = new Map<FoundEntry, number>();
  for (const entry of database.all<FoundEntry>(FOUND_ENTRIES, candidates)) {
    const words = database.one<EntryWords>(WORDS, entry.entry_id);
    if (words === undefined) continue;
    const fields = fieldsOf(words);
    if (!finders.every(({ finder, isScanned: isOpen }) => !isOpen || fields.some((field) => finder.isIn(field))))
      continue;
    if (unwanted.some((finder) => fields.some((field) => finder.isIn(field)))) continue;
    found.push(entry);
    const isAnyIn = (field: string): number => Number(finders.some(({ finder }) => finder.isIn(field)));
    goodNames.set(entry, 2 * isAnyIn(words.title) + isAnyIn(words.filename));
  }
  const ranking = rankingOf(query.all.length, found);
  const inOrder =
    ranking === undefined
      ? found.toSorted((left, right) => (goodNames.get(right) ?? 0) - (goodNames.get(left) ?? 0))
      : bestFirst(database, query.all, found, ranking);
  return { items: idsIn(inOrder, page), total: found.length };
};

/** What `query` finds, however long it takes. Where its thread is terminated it ends within about two seconds. */
export const searchAtLength = (
  database: Database,
  owner: Owner,
  query: SearchQuery,
  page: PageRequest,
): Page<string> => {
  if (nanosecondsOf(query, owner) > LONGEST_NS) return searchByReading(database, owner, query, page);
  const found = database.one<Found>(FOUND, matchOf(ownerPrefix(owner.owner_number), query)) ?? { count: 0, ids: '[]' };
  const entries = found.count > RANKED_ENTRIES ? [] : database.all<FoundEntry>(FOUND_ENTRIES, found.ids);
  const ranking = found.count > RANKED_ENTRIES ? undefined : rankingOf(query.all.length, entries);
  const items =
    ranking === undefined
      ? plainly(database, owner, found.ids, query, page)
      : idsIn(bestFirst(database, query.all, entries, ranking), page);
  return { items, total: found.count };
};

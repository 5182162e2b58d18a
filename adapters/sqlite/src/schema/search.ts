/**
 * What can be searched. `search_words` is a full-text index that keeps no texts; its row ids are those of the entries. Each
 * word in it begins with the number of its owner (`0002a_invoice`, see `search-words.ts`), so that a search reads the words
 * of one owner only. The column `owner` holds one word for each entry, which is the same for all of an owner. Prefixes
 * of one and two letters, which are five characters of number and an underscore longer, have indexes of their own.
 *
 * `search_texts` holds the same words without the owner's number, each between blanks, to count them in what a search
 * found; `text_length` is the length of that text. (FTS5's own measure, bm25, goes by the entries of all owners, and takes
 * the longer the more entries have one of the terms.)
 *
 * A removed entry is marked as such in the full-text index, and its words go when the segment that they lie in is merged
 * with another: with `deletemerge` as soon as one in twenty of its entries is removed or replaced.
 */
export const searchSchema = `
CREATE TABLE search_owners (
  owner_number INTEGER PRIMARY KEY,
  owner_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE search_entries (
  entry_id INTEGER PRIMARY KEY,
  document_id TEXT NOT NULL UNIQUE,
  owner_number INTEGER NOT NULL REFERENCES search_owners,
  received_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  text_length INTEGER NOT NULL
) STRICT;
CREATE INDEX search_entries_listed ON search_entries (owner_number, received_at DESC, document_id DESC);

CREATE TABLE search_texts (
  entry_id INTEGER PRIMARY KEY REFERENCES search_entries ON DELETE CASCADE,
  title TEXT NOT NULL,
  filename TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE search_words USING fts5 (
  owner, title, filename, text,
  content = '', contentless_delete = 1, prefix = '7 8', tokenize = "ascii tokenchars '_'"
);
INSERT INTO search_words (search_words, rank) VALUES ('deletemerge', 5);
`;

/**
 * The search index. `search_words` is a full-text index without texts; its row ids are those of the entries (but see
 * `search-parts.ts`). Each of its words begins with the number of its owner (`0002a_invoice`, see `search-words.ts`),
 * so that a search reads only the owner's index entries. The column `owner` has one word, the same in all entries of an
 * owner. Prefixes of one and two letters, which are 7 and 8 characters with the number, have their own indexes.
 *
 * `search_texts` has the same words without the number of the owner, each between blanks, for phrases and for the order
 * of results. `names_length` is the length of title and file name together, `text_length` that of the text. (The order
 * is not that of bm25 of FTS5, which depends on the entries of all owners.)
 *
 * FTS5 only marks a removed entry. It deletes the words when it merges their segment. With `deletemerge` 5, it merges a
 * segment as soon as 5 % of its entries are removed or replaced.
 */
export const searchSchema = `
CREATE TABLE search_owners (
  owner_number INTEGER PRIMARY KEY,
  owner_id TEXT NOT NULL UNIQUE,
  entry_count INTEGER NOT NULL DEFAULT 0,
  words_length INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE search_entries (
  entry_id INTEGER PRIMARY KEY,
  document_id TEXT NOT NULL UNIQUE,
  owner_number INTEGER NOT NULL REFERENCES search_owners,
  received_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  names_length INTEGER NOT NULL,
  text_length INTEGER NOT NULL
) STRICT;
CREATE INDEX search_entries_listed ON search_entries (owner_number, received_at DESC, document_id DESC);

CREATE TRIGGER search_entries_added AFTER INSERT ON search_entries BEGIN
  UPDATE search_owners
    SET entry_count = entry_count + 1, words_length = words_length + (new.names_length + new.text_length)
    WHERE owner_number = new.owner_number;
END;
CREATE TRIGGER search_entries_changed AFTER UPDATE ON search_entries BEGIN
  UPDATE search_owners
    SET entry_count = entry_count - 1, words_length = words_length - (old.names_length + old.text_length)
    WHERE owner_number = old.owner_number;
  UPDATE search_owners
    SET entry_count = entry_count + 1, words_length = words_length + (new.names_length + new.text_length)
    WHERE owner_number = new.owner_number;
END;
CREATE TRIGGER search_entries_removed AFTER DELETE ON search_entries BEGIN
  UPDATE search_owners
    SET entry_count = entry_count - 1, words_length = words_length - (old.names_length + old.text_length)
    WHERE owner_number = old.owner_number;
END;

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

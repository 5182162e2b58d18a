/**
 * What can be searched. `search_words` is a full-text index that keeps no texts; its row ids are those of the entries. Each
 * word in it begins with the number of its owner (`0002a_invoice`, see `search-words.ts`), so that a search reads the words
 * of one owner only. The column `owner` holds one word for each entry, which is the same for all of an owner. Prefixes
 * of one and two letters, which are five characters of number and an underscore longer, have indexes of their own.
 *
 * `search_texts` holds the same words without the owner's number, each between blanks, to count them in what a search
 * found; `names_length` is the length of title and file name together, `text_length` that of the text. The owner's
 * `entry_count` and `words_length`, kept by triggers, tell before a search what it can take at most. (FTS5's own measure, bm25, goes by the entries of all owners, and takes
 * the longer the more entries have one of the terms.)
 *
 * A removed entry is marked as such in the full-text index, and its words go when the segment that they lie in is merged
 * with another: with `deletemerge` as soon as one in twenty of its entries is removed or replaced.
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

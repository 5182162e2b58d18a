/**
 * Entries whose words are in several rows of `search_words`. The row of a part has the id `-part_id`. A part belongs to
 * the entry that has its `write_id`; parts without an entry belong to a put that is running or has crashed.
 * `written_at` is in Unix seconds. An entry without `write_id` has its words in one row, whose id is `entry_id`.
 *
 * Since this version, a row of `search_words` holds each word of an entry once, in the column `text`. Rows of earlier
 * versions hold all words in three columns and stay valid.
 */
export const searchPartsSchema = `
CREATE TABLE search_parts (
  part_id INTEGER PRIMARY KEY,
  document_id TEXT NOT NULL,
  write_id TEXT NOT NULL,
  written_at INTEGER NOT NULL
) STRICT;
CREATE INDEX search_parts_of_document ON search_parts (document_id, write_id);
CREATE INDEX search_parts_of_write ON search_parts (write_id);
ALTER TABLE search_entries ADD COLUMN write_id TEXT;

DROP TRIGGER search_entries_added;
DROP TRIGGER search_entries_changed;
DROP TRIGGER search_entries_removed;
ALTER TABLE search_owners DROP COLUMN entry_count;
ALTER TABLE search_owners DROP COLUMN words_length;
`;

import { parseSearchQuery } from '@palimpsest/core';
import { openDatabase, type Database, type Sqlite } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { indexedWords, ownerPrefix } from '../../src/search/search-words.ts';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';

const COUNT = 100_001;
const RARE_EVERY = 5000;
const PREFIX = ownerPrefix(1);

/**
 * Stores `COUNT` entries of one owner, the oldest first. All have the word `place`: entry 1 also in its title, entry 2
 * also in its file name.
 */
const fill = (database: Database) =>
  database.write(() => {
    const numbers = `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${COUNT})`;
    const rare = `iif(i % ${RARE_EVERY} = 0, ' rare', '')`;
    database.run("INSERT INTO search_owners (owner_number, owner_id) VALUES (1, 'owner-1')");
    database.run(
      `${numbers} INSERT INTO search_entries (entry_id, document_id, owner_number, received_at, version, names_length, text_length)
       SELECT i, 'document-' || i, 1, i, 1, 13, 30 FROM numbers`,
    );
    database.run(
      `${numbers} INSERT INTO search_texts (entry_id, title, filename, text)
       SELECT i, iif(i = 1, ' place ', ' title '), iif(i = 2, ' place ', ' name '), ' each text place' || ${rare} || ' ' FROM numbers`,
    );
    database.run(
      `${numbers} INSERT INTO search_words (rowid, owner, text)
       SELECT i, ?1, ?2 || iif(i % ${RARE_EVERY} = 0, ' ' || ?1 || 'rare', '') FROM numbers`,
      PREFIX,
      indexedWords(PREFIX, ['title', 'name', 'each', 'text', 'place']),
    );
  });

describe('a search of an owner with 100,001 entries', () => {
  let folder: DatabaseFolder;
  let handle: Sqlite;

  before(async () => {
    folder = await databaseFolder();
    handle = await folder.open();
    const database = await openDatabase(folder.file);
    await fill(database);
    database.close();
  });
  after(() => folder.remove());

  const search = (q: string, page = { limit: 3, offset: 0 }) =>
    handle.searchIndex.search('owner-1', parseSearchQuery(q), page);

  it('finds the few entries that have a rare word and common ones, the newest first', async () => {
    for (const q of ['rare', 'rare each -absent', 'rare ra*', 'rare "each text"']) {
      const page = { items: ['document-100000', 'document-95000', 'document-90000'], total: 20 };
      expect(await search(q), q).to.deep.equal(page);
    }
  });

  it('returns matches in titles first, then matches in file names, then the newest, if at most 100,000 entries match', async () => {
    expect(await search('place -rare', { limit: 4, offset: 0 })).to.deep.equal({
      items: ['document-1', 'document-2', 'document-100001', 'document-99999'],
      total: COUNT - 20,
    });
  });

  it('returns the newest entries first if more than 100,000 entries match', async () => {
    for (const q of ['place', '"each text place"', ''])
      expect(await search(q), q).to.deep.equal({
        items: ['document-100001', 'document-100000', 'document-99999'],
        total: COUNT,
      });
    expect(await search('place', { limit: 2, offset: COUNT - 1 })).to.deep.equal({
      items: ['document-1'],
      total: COUNT,
    });
    expect(await search('place', { limit: 2, offset: COUNT })).to.deep.equal({ items: [], total: COUNT });
  });
});

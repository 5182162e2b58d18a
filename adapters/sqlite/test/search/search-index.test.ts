import { DatabaseSync } from 'node:sqlite';
import { aSearchEntry } from '@palimpsest/contract-tests';
import { parseSearchQuery } from '@palimpsest/core';
import { expect } from 'chai';
import { databaseFolder } from '../database-folder.ts';

describe('SqliteSearchIndex', () => {
  it('removes the words of removed entries from the file while other entries are put, even if few entries are removed', async () => {
    const folder = await databaseFolder();
    const { searchIndex } = await folder.open();
    const entry = (i: number, text = '') =>
      aSearchEntry({
        documentId: `document-${i}`,
        text: `${text} ${Array.from({ length: 50 }, (_, n) => `word${n * i}`).join(' ')}`,
      });
    const inFile = <T>(read: (file: DatabaseSync) => T): T => {
      const file = new DatabaseSync(folder.file);
      try {
        return read(file);
      } finally {
        file.close();
      }
    };
    const holds = (): boolean =>
      inFile((file) => {
        const one = (sql: string): number => Number(file.prepare(sql).get()?.['count']);
        const indexed = one(
          "SELECT count(*) AS count FROM search_words_data WHERE instr(block, CAST('zzsecret' AS BLOB)) > 0",
        );
        return indexed + one("SELECT count(*) AS count FROM search_texts WHERE instr(text, 'zzzsecret') > 0") > 0;
      });

    for (let i = 1; i <= 200; i++) await searchIndex.put(entry(i, i === 7 ? 'zzzsecret' : ''));
    // Moves all words to one segment, which the default settings of FTS5 would not merge for a long time.
    inFile((file) => file.exec("INSERT INTO search_words (search_words) VALUES ('optimize')"));
    expect(holds()).to.equal(true);
    for (let i = 1; i <= 14; i++) await searchIndex.remove(`document-${i}`);
    const found = await searchIndex.search('owner-1', parseSearchQuery('zzzsecret'), { limit: 1, offset: 0 });
    expect(found.total).to.equal(0);
    for (let i = 201; i <= 300; i++) await searchIndex.put(entry(i));
    expect(holds()).to.equal(false);
    await folder.remove();
  });
});

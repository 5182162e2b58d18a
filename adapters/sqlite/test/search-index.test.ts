import { DatabaseSync } from 'node:sqlite';
import { aSearchEntry, at } from '@palimpsest/contract-tests';
import { parseSearchQuery } from '@palimpsest/core';
import type { Sqlite } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { ownerPrefix } from '../src/search-words.ts';
import { databaseFolder, type DatabaseFolder } from './open-in-folder.ts';

const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('SqliteSearchIndex', function () {
  this.timeout(60_000);
  let folder: DatabaseFolder;
  let handle: Sqlite;

  beforeEach(async () => {
    folder = await databaseFolder();
    handle = await folder.open();
  });
  afterEach(() => folder.remove());

  const found = async (q: string, ownerId = 'owner-1'): Promise<readonly string[]> =>
    (await handle.searchIndex.search(ownerId, parseSearchQuery(q), { limit: 200, offset: 0 })).items;

  /** What `read` gives of the file itself. */
  const inFile = <T>(read: (file: DatabaseSync) => T): T => {
    const file = new DatabaseSync(folder.file);
    try {
      return read(file);
    } finally {
      file.close();
    }
  };

  it('knows how much each owner has, whatever is put and removed', async () => {
    const { searchIndex } = handle;
    for (const i of numbersTo(60)) {
      const documentId = `document-${(i * 7) % 10}`;
      if (i % 7 === 0) await searchIndex.remove(documentId);
      else
        await searchIndex.put(
          aSearchEntry({
            documentId,
            ownerId: `owner-${i % 3}`,
            version: i,
            title: 't'.repeat(i),
            text: 'word '.repeat(i),
          }),
        );
    }
    const kept = 'SELECT owner_number, entry_count, words_length FROM search_owners ORDER BY owner_number';
    const counted = `SELECT owner_number, count(entry_id) AS entry_count, coalesce(sum(length(title) + length(filename) + length(text)), 0) AS words_length
      FROM search_owners LEFT JOIN search_entries USING (owner_number) LEFT JOIN search_texts USING (entry_id) GROUP BY owner_number`;
    inFile((file) => {
      expect(file.prepare(kept).all()).to.deep.equal(file.prepare(counted).all());
      expect(file.prepare('SELECT sum(entry_count) AS count FROM search_owners').get()).to.deep.include({ count: 9 });
    });
  });

  it('gives no two owners words that begin alike', () => {
    const prefixes = [...numbersTo(2000), 36 ** 5 - 1, 36 ** 5, 36 ** 5 + 1, 36 ** 6].map(ownerPrefix);
    expect(ownerPrefix(46)).to.equal('0001a_');
    expect(new Set(prefixes).size).to.equal(prefixes.length);
    expect(prefixes.filter((prefix) => !/^[0-9a-z]{5,}_$/.test(prefix))).to.deep.equal([]);
  });

  it('does not count what is in very long texts, and has titles first, then the newest', async () => {
    const words = 'red green blue white black grey';
    const long = `${words} `.repeat(60_000);
    await handle.searchIndex.put(aSearchEntry({ documentId: 'title', title: words, text: words, receivedAt: at(1) }));
    await handle.searchIndex.put(aSearchEntry({ documentId: 'often', text: long, receivedAt: at(2) }));
    await handle.searchIndex.put(
      aSearchEntry({ documentId: 'newest', text: `${words} ${'other '.repeat(300_000)}`, receivedAt: at(3) }),
    );
    expect(await found('red')).to.deep.equal(['title', 'often', 'newest']);
    expect(await found(words)).to.deep.equal(['title', 'newest', 'often']);
  });

  it('lets everything else go on while a long text is made ready', async () => {
    const state = { turns: 0, done: false };
    const turn = (): void => {
      state.turns++;
      if (!state.done) setImmediate(turn);
    };
    setImmediate(turn);
    await handle.searchIndex.put(aSearchEntry({ text: 'word '.repeat(500_000) }));
    state.done = true;
    expect(state.turns).to.be.above(20);
  });

  it('gets rid of the words of what was removed, be it one in fifteen, as others are put', async () => {
    const { searchIndex } = handle;
    const entry = (i: number, text = '') =>
      aSearchEntry({
        documentId: `document-${i}`,
        text: `${text} ${numbersTo(50)
          .map((n) => `word${n * i}`)
          .join(' ')}`,
      });
    for (const i of numbersTo(200)) await searchIndex.put(entry(i, i === 7 ? 'zzzsecret' : ''));
    const holds = (): boolean =>
      inFile((file) => {
        const one = (sql: string): number => Number(file.prepare(sql).get()?.['count']);
        const indexed = one(
          "SELECT count(*) AS count FROM search_words_data WHERE instr(block, CAST('zzsecret' AS BLOB)) > 0",
        );
        return indexed + one("SELECT count(*) AS count FROM search_texts WHERE instr(text, 'zzzsecret') > 0") > 0;
      });
    // In one segment, which usual merging leaves alone for long.
    inFile((file) => file.exec("INSERT INTO search_words (search_words) VALUES ('optimize')"));
    expect(holds()).to.equal(true);
    for (const i of numbersTo(14)) await searchIndex.remove(`document-${i}`);
    expect(await found('zzzsecret')).to.deep.equal([]);
    for (const i of numbersTo(300).slice(200)) await searchIndex.put(entry(i));
    expect(holds()).to.equal(false);
  });

  it('keeps a sound index whatever is put and removed, with nothing that belongs to no entry', async () => {
    const { searchIndex } = handle;
    for (const i of numbersTo(300)) {
      const documentId = `document-${(i * 7) % 40}`;
      if (i % 5 === 0) await searchIndex.remove(documentId);
      else
        await searchIndex.put(
          aSearchEntry({ documentId, ownerId: `owner-${i % 3}`, version: i, text: `word${i} letter` }),
        );
    }
    for (const i of numbersTo(40)) await searchIndex.remove(`document-${i - 1}`);
    for (const owner of [0, 1, 2]) expect(await found('', `owner-${owner}`)).to.deep.equal([]);
    inFile((file) => {
      file.exec("INSERT INTO search_words (search_words, rank) VALUES ('integrity-check', 1)");
      const tables = ['search_entries', 'search_texts', 'search_words_docsize'];
      for (const table of tables)
        expect(file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'], table).to.equal(0);
    });
  });
});

import { DatabaseSync } from 'node:sqlite';
import { aSearchEntry } from '@palimpsest/contract-tests';
import { parseSearchQuery, type SearchEntry } from '@palimpsest/core';
import type { Sqlite } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { putEntry, removeEntry } from '../../src/search/entry-writer.ts';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';
import { ObservedDatabase } from '../observed-database.ts';

/** A text of `count` different words that begin with `prefix`. */
const differentWords = (prefix: string, count: number): string =>
  Array.from({ length: count }, (_, i) => prefix + i).join(' ');

/** More different words than fit in one row of the index. */
const inParts = (prefix: string): string => differentWords(prefix, 9000);

const anEntry = (entry: Partial<SearchEntry>): SearchEntry => aSearchEntry({ documentId: 'document-1', ...entry });

describe('writing an entry with many different words', () => {
  let folder: DatabaseFolder;
  let handle: Sqlite;
  let database: ObservedDatabase;

  beforeEach(async () => {
    folder = await databaseFolder();
    handle = await folder.open();
    database = new ObservedDatabase(folder.file);
  });
  afterEach(async () => {
    database.close();
    await folder.remove();
  });

  const found = async (q: string): Promise<readonly string[]> =>
    (await handle.searchIndex.search('owner-1', parseSearchQuery(q), { limit: 200, offset: 0 })).items;
  const count = (sql: string): Promise<number> =>
    database.read(() => database.one<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`)?.count ?? 0);
  /** The search_parts rows, and the rows of the full-text index. */
  const rows = async () => ({ parts: await count('search_parts'), words: await count('search_words_docsize') });
  const crashAfter = (writes: number): void => {
    database.writes = 0;
    database.afterWrite = (done) =>
      done === writes ? Promise.reject(new Error('the process died')) : Promise.resolve();
  };

  it('writes at most 4,000 words in each transaction', async () => {
    const sizes: number[] = [];
    let before = 0;
    database.afterWrite = async () => {
      const { words } = await rows();
      sizes.push(words - before);
      before = words;
    };
    await putEntry(database, anEntry({ text: inParts('w') }));
    expect(sizes).to.deep.equal([0, 1, 1, 1, 0]); // the owner, three parts, the entry
    expect(await found('w0 w4500 w8999')).to.deep.equal(['document-1']);
  });

  it('writes an entry with fewer words in one row, however long it is', async () => {
    await putEntry(database, anEntry({ text: `${differentWords('w', 3000)} `.repeat(10) }));
    expect(await rows()).to.deep.equal({ parts: 0, words: 1 });
  });

  it('lets searches find the old entry until it is complete, then the new one', async () => {
    await putEntry(database, anEntry({ version: 1, text: 'old' }));
    const seen: string[] = [];
    database.afterWrite = async () => {
      const states = await Promise.all(
        ['old', 'new0', 'new8999', 'old new0'].map(async (q) => (await found(q)).length),
      );
      seen.push(states.join(''));
    };
    await putEntry(database, anEntry({ version: 2, text: inParts('new') }));
    expect(seen).to.deep.equal(['1000', '1000', '1000', '0110']);
  });

  it('removes the parts of the entry that it replaces', async () => {
    await putEntry(database, anEntry({ version: 1, text: inParts('a') }));
    await putEntry(database, anEntry({ version: 2, text: inParts('b') }));
    expect(await rows()).to.deep.equal({ parts: 3, words: 3 });
    await putEntry(database, anEntry({ version: 3, text: 'c' }));
    expect(await rows()).to.deep.equal({ parts: 0, words: 1 });
    expect(await found('a0')).to.deep.equal([]);
    expect(await found('b0')).to.deep.equal([]);
    expect(await found('c')).to.deep.equal(['document-1']);
  });

  it('keeps the old entry if the process dies at any moment before the entry is replaced', async () => {
    await putEntry(database, anEntry({ version: 1, text: inParts('old') }));
    for (const writes of [1, 2, 3]) {
      crashAfter(writes);
      const put = putEntry(database, anEntry({ version: 2, text: inParts('new') }));
      expect(await put.catch((error: unknown) => error)).to.be.an('error');
      expect([await found('old0 old8999'), await found('new0')]).to.deep.equal([['document-1'], []]);
      expect(await handle.searchIndex.versionOf('document-1')).to.equal(1);
    }
  });

  it('keeps the new entry if the process dies after the entry is replaced, before the old parts are removed', async () => {
    await putEntry(database, anEntry({ version: 1, text: inParts('old') }));
    crashAfter(4);
    const put = putEntry(database, anEntry({ version: 2, text: inParts('new') }));
    expect(await put.catch((error: unknown) => error)).to.be.an('error');
    expect([await found('old0'), await found('new0 new8999')]).to.deep.equal([[], ['document-1']]);
  });

  it('removes parts that a crash left an hour ago, when the next entry is written in parts', async () => {
    crashAfter(3);
    await putEntry(database, anEntry({ text: inParts('left') })).catch(() => undefined);
    crashAfter(-1);
    await putEntry(database, anEntry({ documentId: 'document-2', text: inParts('w') }));
    expect((await rows()).parts).to.equal(5);
    await database.write(() => database.run('UPDATE search_parts SET written_at = written_at - 3601'));
    await putEntry(database, anEntry({ documentId: 'document-3', text: inParts('w') }));
    expect((await rows()).parts).to.equal(6);
    expect(await found('w8999')).to.have.members(['document-2', 'document-3']);
  });

  it('includes a document whose first put crashed in a scan, and removes its parts with the document', async () => {
    crashAfter(3);
    await putEntry(database, anEntry({ text: inParts('left') })).catch(() => undefined);
    crashAfter(-1);
    await handle.searchIndex.put(anEntry({ documentId: 'document-0' }));
    expect(await handle.searchIndex.scan(undefined, 10)).to.deep.equal(['document-0', 'document-1']);
    expect(await handle.searchIndex.scan('document-0', 10)).to.deep.equal(['document-1']);
    await handle.searchIndex.remove('document-1');
    expect(await handle.searchIndex.scan(undefined, 10)).to.deep.equal(['document-0']);
    expect(await rows()).to.deep.equal({ parts: 0, words: 1 });
  });

  it('writes all parts again if the document is removed while its parts are written', async () => {
    database.afterWrite = async (writes) => {
      if (writes === 3) await handle.searchIndex.remove('document-1');
    };
    await putEntry(database, anEntry({ text: inParts('w') }));
    expect(await found('w0 w4500 w8999')).to.deep.equal(['document-1']);
    expect(await rows()).to.deep.equal({ parts: 3, words: 3 });
  });

  it('stores nothing if a higher version is stored while its parts are written', async () => {
    database.afterWrite = async (writes) => {
      if (writes === 3) await handle.searchIndex.put(anEntry({ version: 3, text: inParts('high') }));
    };
    await putEntry(database, anEntry({ version: 2, text: inParts('low') }));
    expect(await handle.searchIndex.versionOf('document-1')).to.equal(3);
    expect([await found('high0 high8999'), await found('low0')]).to.deep.equal([['document-1'], []]);
    expect(await rows()).to.deep.equal({ parts: 3, words: 3 });
  });

  it('does not lose an entry that another process puts while the document is removed', async () => {
    await putEntry(database, anEntry({ text: inParts('old') }));
    database.writes = 0;
    database.afterWrite = async (writes) => {
      if (writes === 1) await handle.searchIndex.put(anEntry({ text: inParts('new') }));
    };
    await removeEntry(database, 'document-1');
    expect(await found('new0 new4500 new8999')).to.deep.equal(['document-1']);
    expect(await rows()).to.deep.equal({ parts: 3, words: 3 });
  });

  it('leaves an intact index without words, texts or parts of removed documents', async () => {
    for (let i = 0; i < 60; i++) {
      const documentId = `document-${(i * 7) % 9}`;
      const ownerId = `owner-${i % 3}`;
      const text = i % 4 === 0 ? differentWords(`x${i}y`, 4001) : `word${i} letter`;
      if (i % 5 === 0) await handle.searchIndex.remove(documentId);
      else await handle.searchIndex.put(aSearchEntry({ documentId, ownerId, version: i, text }));
    }
    for (let i = 0; i < 9; i++) await handle.searchIndex.remove(`document-${i}`);
    for (const ownerId of ['owner-0', 'owner-1', 'owner-2'])
      expect((await handle.searchIndex.search(ownerId, parseSearchQuery(''), { limit: 1, offset: 0 })).total).to.equal(
        0,
      );
    for (const table of ['search_entries', 'search_texts', 'search_parts', 'search_words_docsize'])
      expect(await count(table), table).to.equal(0);
    const file = new DatabaseSync(folder.file);
    file.exec("INSERT INTO search_words (search_words, rank) VALUES ('integrity-check', 1)");
    file.close();
  });
});

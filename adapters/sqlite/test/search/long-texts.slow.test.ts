import { aSearchEntry } from '@palimpsest/contract-tests';
import { parseSearchQuery, type Page } from '@palimpsest/core';
import type { Sqlite } from '@palimpsest/sqlite';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { startChild } from '../../../../test/processes/child-process.ts';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';

const MEBIBYTE = 1024 * 1024;

const phrase = (length: number, last = 'a'): string => `"${'a '.repeat(length - 1)}${last}"`;

describe('SqliteSearchIndex with long texts', function () {
  this.timeout(300_000);
  let folder: DatabaseFolder;
  let handle: Sqlite;

  beforeEach(async () => {
    folder = await databaseFolder();
    handle = await folder.open();
  });
  afterEach(() => folder.remove());

  const search = (q: string): Promise<Page<string>> =>
    handle.searchIndex.search('owner-1', parseSearchQuery(q), { limit: 50, offset: 0 });

  it('finds phrases of one repeated word in ten texts of 5 MiB of that word, within the timeout', async () => {
    for (let i = 0; i < 10; i++) {
      const text = `${'a '.repeat(2.5 * MEBIBYTE)} b`;
      await handle.searchIndex.put(aSearchEntry({ documentId: `document-${i}`, text }));
    }
    for (const [q, total] of [
      [phrase(32), 10],
      [`${phrase(31)}*`, 10],
      [phrase(32, 'b'), 10],
      [`"b ${'a '.repeat(31)}"`, 0],
      [[2, 3, 4, 5, 6, 7].map((length) => phrase(length)).join(' '), 10],
      [`a ${[2, 3, 4, 5, 6].map((length) => `-"c ${phrase(length).slice(1)}`).join(' ')}`, 10],
      [`a -${phrase(31)}`, 0],
    ] as const)
      expect((await search(q)).total, q).to.equal(total);
  });

  it('indexes 5 MiB of 750,000 different words, finds all of them, and replaces them', async () => {
    const words = Array.from({ length: 750_000 }, (_, i) => String(100_000 + i));
    await handle.searchIndex.put(aSearchEntry({ documentId: 'document-1', text: words.join(' ') }));
    for (const q of ['100000 849999', '"400000 400001 400002"', '5555*', '123456 -99999'])
      expect((await search(q)).total, q).to.equal(1);
    for (const q of ['99999', '"400000 400002"', '100000 -849999']) expect((await search(q)).total, q).to.equal(0);
    await handle.searchIndex.put(aSearchEntry({ documentId: 'document-1', version: 2, text: 'short' }));
    expect((await search('100000')).total).to.equal(0);
    expect((await search('short')).total).to.equal(1);
  });

  it('throws for a text that needs more memory than a thread has, and stores the next text', async () => {
    const child = startChild(new URL('memory.child.ts', import.meta.url), folder.file);
    await child.ended();
    expect(child.lines).to.deep.equal(['long: ERR_WORKER_OUT_OF_MEMORY, next: stored', 'long: undefined, next: 1']);
  });

  it('finds only the last stored version after processes were killed while they indexed', async () => {
    let stored = 0;
    for (let round = 0; round < 6; round++) {
      const child = startChild(new URL('put.child.ts', import.meta.url), folder.file, String(stored + 1));
      await child.printed(1 + (round % 3));
      await child.kill();
      const version = (await handle.searchIndex.versionOf('document-1')) ?? 0;
      expect(version).to.be.within(Number(child.lines.at(-1)), Number(child.lines.at(-1)) + 1);
      expect((await search(`version${version} v${version}w0 v${version}w39999`)).total).to.equal(1);
      for (const other of [version - 1, version + 1]) expect((await search(`v${other}w0`)).total).to.equal(0);
      stored = version;
    }
    const file = new DatabaseSync(folder.file);
    file.exec("INSERT INTO search_words (search_words, rank) VALUES ('integrity-check', 1)");
    file.close();
  });
});

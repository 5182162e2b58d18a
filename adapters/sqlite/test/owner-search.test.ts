import { aSearchEntry, at } from '@palimpsest/contract-tests';
import type { Page, PageRequest, SearchQuery, SearchTerm } from '@palimpsest/core';
import { openDatabase, SqliteSearchIndex, type Database } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { searchAtLength, searchByReading, searchShortly, type Owner } from '../src/owner-search.ts';
import { TermFinder } from '../src/term-finder.ts';
import { databaseFolder, type DatabaseFolder } from './open-in-folder.ts';

const PAGE: PageRequest = { limit: 100, offset: 0 };

/** The same numbers each time, from 0 to `below`. */
const numbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

describe('searches of an owner', function () {
  this.timeout(60_000);
  let folder: DatabaseFolder;
  let database: Database;
  let owner: Owner;
  const next = numbers(1);
  const words = (most: number): string[] =>
    Array.from({ length: next(most + 1) }, () => ['a', 'aa', 'ab', 'b', 'ba', '日'][next(6)] ?? '');

  before(async () => {
    folder = await databaseFolder();
    database = await openDatabase(folder.file);
    const index = new SqliteSearchIndex(database);
    for (let i = 0; i < 80; i++) {
      const [title, filename, text] = [words(3).join(' '), words(3).join(' '), words(12).join(' ')];
      await index.put(aSearchEntry({ documentId: `document-${i}`, receivedAt: at(next(20)), title, filename, text }));
    }
    const found = await database.read(() =>
      database.one<Owner>('SELECT owner_number, entry_count, words_length FROM search_owners'),
    );
    if (found === undefined) throw new Error('There is no owner');
    owner = found;
  });
  after(async () => {
    database.close();
    await folder.remove();
  });

  it('find the same in the same order, whether FTS5 compares phrases and prefixes or the words are read', async () => {
    const term = (): SearchTerm => ({ tokens: [...words(2), 'a'].slice(-1 - next(3)), isPrefix: next(3) === 0 });
    const by = (
      search: (database: Database, owner: Owner, query: SearchQuery, page: PageRequest) => Page<string> | undefined,
      query: SearchQuery,
    ) => database.read(() => search(database, owner, query, PAGE));
    let total = 0;
    for (let i = 0; i < 1000; i++) {
      const query: SearchQuery = {
        all: Array.from({ length: next(4) }, term),
        none: Array.from({ length: next(3) }, term),
      };
      const found = await by(searchByReading, query);
      expect(found, JSON.stringify(query)).to.deep.equal(await by(searchAtLength, query));
      expect(found).to.deep.equal(await by(searchShortly, query));
      total += found?.total ?? 0;
    }
    expect(total).to.be.above(5000);
  });
});

describe('TermFinder', () => {
  it('counts what a plain search does, overlaps too', () => {
    const next = numbers(2);
    const word = (): string => ['a', 'aa', 'b', '日'][next(4)] ?? '';
    for (let i = 0; i < 2000; i++) {
      const term = { tokens: Array.from({ length: 1 + next(4) }, word), isPrefix: next(2) === 0 };
      const text = ` ${Array.from({ length: next(30) }, word).join(' ')} `;
      const wanted = ` ${term.tokens.join(' ')}${term.isPrefix ? '' : ' '}`;
      const count = Array.from({ length: text.length }, (_, at) => text.startsWith(wanted, at)).filter(Boolean).length;
      const finder = new TermFinder(term);
      expect(finder.countIn(text), `${wanted} in ${text}`).to.equal(count);
      expect(finder.countIn(text, 2)).to.equal(Math.min(count, 2));
      expect(finder.isIn(text)).to.equal(count > 0);
    }
  });
});

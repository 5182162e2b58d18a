import { aSearchEntry, at } from '@palimpsest/contract-tests';
import { matches, searchTokens, type SearchEntry, type SearchQuery, type SearchTerm } from '@palimpsest/core';
import type { Sqlite } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { ownerPrefix } from '../../src/search/search-words.ts';
import { TermFinder } from '../../src/search/term-finder.ts';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';

/** Pseudo-random integers from 0 to `limit - 1`, the same in each run. */
const numbers = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};

describe('a search in entries of one row and entries in parts', () => {
  let folder: DatabaseFolder;
  let handle: Sqlite;
  const entries: SearchEntry[] = [];
  const next = numbers(1);
  const words = (most: number): string[] =>
    Array.from({ length: next(most + 1) }, () => ['a', 'aa', 'ab', 'b', 'ba', '日'][next(6)] ?? '');

  before(async () => {
    folder = await databaseFolder();
    handle = await folder.open();
    const filling = Array.from({ length: 4001 }, (_, i) => `filling${i}`).join(' ');
    for (let i = 0; i < 24; i++) {
      const [title, filename] = [words(3).join(' '), words(3).join(' ')];
      const text = `${words(6).join(' ')} ${i % 3 === 0 ? filling : ''} ${words(6).join(' ')}`;
      const entry = aSearchEntry({ documentId: `document-${i}`, receivedAt: at(i), title, filename, text });
      await handle.searchIndex.put(entry);
      entries.push(entry);
    }
  });
  after(() => folder.remove());

  it('finds exactly the entries that match by the rules of the core', async () => {
    const fields = entries.map(
      ({ documentId, title, filename, text }) => [documentId, [title, filename, text].map(searchTokens)] as const,
    );
    const term = (): SearchTerm => ({ tokens: [...words(2), 'a'].slice(-1 - next(3)), isPrefix: next(3) === 0 });
    let total = 0;
    for (let i = 0; i < 200; i++) {
      const query: SearchQuery = {
        all: Array.from({ length: next(4) }, term),
        none: Array.from({ length: next(3) }, term),
      };
      const page = await handle.searchIndex.search('owner-1', query, { limit: 100, offset: 0 });
      const expected = fields.filter(([, tokens]) => matches(query, tokens)).map(([id]) => id);
      expect(page.items, JSON.stringify(query)).to.have.members(expected);
      expect(page.total).to.equal(expected.length);
      total += page.total;
    }
    expect(total).to.be.above(300);
  });
});

describe('the order of a search', () => {
  it('ignores occurrences if more than 16 Mi characters would have to be read', async () => {
    const folder = await databaseFolder();
    const { searchIndex } = await folder.open();
    const words = Array.from({ length: 32 }, (_, i) => `w${i}`).join(' ');
    await searchIndex.put(aSearchEntry({ documentId: 'title', title: words, text: words, receivedAt: at(1) }));
    await searchIndex.put(aSearchEntry({ documentId: 'often', text: `${words} `.repeat(5000), receivedAt: at(2) }));
    await searchIndex.put(aSearchEntry({ documentId: 'newest', text: words, receivedAt: at(3) }));
    const found = async (q: string) => {
      const all = searchTokens(q).map((token) => ({ tokens: [token], isPrefix: false }));
      return (await searchIndex.search('owner-1', { all, none: [] }, { limit: 9, offset: 0 })).items;
    };
    expect(await found('w1')).to.deep.equal(['title', 'often', 'newest']);
    expect(await found(words)).to.deep.equal(['title', 'newest', 'often']);
    await folder.remove();
  });
});

describe('ownerPrefix', () => {
  it('returns no prefix that is the beginning of the prefix of another owner', () => {
    const ownerNumbers = [...Array.from({ length: 2000 }, (_, i) => i + 1), 36 ** 5 - 1, 36 ** 5, 36 ** 5 + 1, 36 ** 6];
    const prefixes = ownerNumbers.map(ownerPrefix);
    expect(ownerPrefix(46)).to.equal('0001a_');
    expect(new Set(prefixes).size).to.equal(prefixes.length);
    expect(prefixes.filter((prefix) => !/^[0-9a-z]{5,}_$/.test(prefix))).to.deep.equal([]);
  });
});

describe('TermFinder', () => {
  it('counts the same occurrences as a comparison at each position, including overlaps', () => {
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

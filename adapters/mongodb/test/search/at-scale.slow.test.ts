import { aSearchEntry, at } from '@palimpsest/contract-tests';
import { isAppError, parseSearchQuery, type Page, type SearchEntry } from '@palimpsest/core';
import { expect } from 'chai';
import { contentOf, searchRecords, type EntryRecord } from '../../src/search/entry-records.ts';
import { MongoSearchIndex } from '../../src/search/mongo-search-index.ts';
import { termsOfToken } from '../../src/search/index-terms.ts';
import { wordsOf } from '../../src/search/segments.ts';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { searchDatabaseForSuite } from './search-database.ts';

const MEBIBYTE = 1024 * 1024;
const MANY = 10_000;
const RARE = 20;
const AT_ONCE = 1000;

/** An entry as `put` stores it, of words that are tokens already. */
const recordOf = (entry: SearchEntry): EntryRecord => {
  const [title, filename, text] = [entry.title, entry.filename, entry.text].map((words) => words.split(' '));
  const tokens = new Set([title, filename, text].flatMap((each) => each ?? []));
  return {
    _id: entry.documentId,
    state: 'filled',
    pending: [],
    dropped: [],
    ...contentOf(entry),
    isLong: false,
    length: wordsOf(text ?? []).length,
    words: { title: wordsOf(title ?? []), filename: wordsOf(filename ?? []), text: wordsOf(text ?? []) },
    terms: [...new Set([...tokens].flatMap(termsOfToken))].join(' '),
  };
};

/** Of `i` 1 to 10,000: all have `each text place`, 20 have `rare`, 1 has `place` in its title, 2 in its file name. */
const entryOf = (ownerId: string, i: number): SearchEntry =>
  aSearchEntry({
    documentId: `${ownerId}-${i}`,
    ownerId,
    receivedAt: at(i),
    title: i === 1 ? 'place' : 'title',
    filename: i === 2 ? 'place' : 'name',
    text: `each text place number${1_000_000 + i}${i % (MANY / RARE) === 0 ? ' rare' : ''}`,
  });

const median = async (call: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < 11; i++) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[5] ?? 0;
};

await describeOnMongo('MongoSearchIndex with many entries', (server) => {
  const database = searchDatabaseForSuite(server, { keeps: true });
  const search = (q: string, page = { limit: 50, offset: 0 }, ownerId = 'owner-1'): Promise<Page<string>> =>
    database().index.search(ownerId, parseSearchQuery(q), page);
  const fill = async (ownerId: string): Promise<void> => {
    const { entries } = searchRecords(database().database);
    for (let i = 1; i <= MANY; i += AT_ONCE) {
      await entries.insertMany(Array.from({ length: AT_ONCE }, (_, j) => recordOf(entryOf(ownerId, i + j))));
    }
  };

  before('store the entries of one owner', async function () {
    this.timeout(240_000);
    await fill('owner-1');
    // They are stored as `put` does it.
    const entry = { ...entryOf('owner-1', 1), ownerId: 'owner-3', documentId: 'put' };
    await database().index.put(entry);
    const stored = await searchRecords(database().database).entries.findOne({ _id: 'put' });
    const filled = recordOf(entry);
    const sorted = (record: EntryRecord | null) => ({
      ...record,
      state: '',
      terms: [...new Set(record?.terms?.split(' '))].sort(),
    });
    expect(sorted(stored)).to.deep.equal(sorted(filled));
  });

  it('takes no longer for what others own', async function () {
    this.timeout(300_000);
    const queries = ['rare', 'ra*', '"text place" rare', 'rare -absent', 'each -place', 'number1000042'];
    const measure = async (): Promise<readonly number[]> => {
      const times: number[] = [];
      for (const q of queries) times.push(await median(() => search(q)));
      return times;
    };
    const found = await Promise.all(queries.map((q) => search(q)));
    const alone = await measure();
    await fill('owner-2');
    expect(await Promise.all(queries.map((q) => search(q)))).to.deep.equal(found);
    const beside = await measure();
    const told = queries.map(
      (q, i) =>
        `${q}: ${alone[i]?.toFixed(1)} ms, then ${beside[i]?.toFixed(1)} ms (${((beside[i] ?? 0) / (alone[i] ?? 1)).toFixed(2)})`,
    );
    console.log(`      10,000 entries alone, and beside 10,000 of another owner: ${told.join('; ')}`);
    expect(found[0]).to.deep.equal({
      items: Array.from({ length: RARE }, (_, i) => `owner-1-${(RARE - i) * (MANY / RARE)}`),
      total: RARE,
    });
  });

  it('ranks and counts all that it finds, and gives any part of it', async function () {
    this.timeout(60_000);
    const { items, total } = await search('place');
    expect(total).to.equal(MANY);
    expect(items.slice(0, 4)).to.deep.equal(['owner-1-1', 'owner-1-2', 'owner-1-9999', 'owner-1-9998']);
    expect(await search('place each', { limit: 2, offset: MANY - 1 })).to.deep.equal({
      items: ['owner-1-500'],
      total: MANY,
    });
    expect(await search('place', { limit: 2, offset: MANY })).to.deep.equal({ items: [], total: MANY });
    expect(await search('pl*', { limit: 1, offset: 1 })).to.deep.equal({ items: ['owner-1-2'], total: MANY });
    expect(await search('"each text place"', { limit: 1, offset: 1 })).to.deep.include({ total: MANY });
    expect(await search('', { limit: 2, offset: 10 })).to.deep.equal({
      items: ['owner-1-9990', 'owner-1-9989'],
      total: MANY,
    });
    expect(await search('-rare', { limit: 2, offset: 0 })).to.deep.equal({
      items: ['owner-1-9999', 'owner-1-9998'],
      total: MANY - RARE,
    });
  });

  it('refuses what takes too long, and does the next', async () => {
    const hurried = new MongoSearchIndex(database().database, { searchMs: 3 });
    const q = Array.from({ length: 40 }, (_, i) => `"each text place" -absent${i}`).join(' ');
    const error: unknown = await hurried
      .search('owner-1', parseSearchQuery(q), { limit: 50, offset: 0 })
      .catch((thrown: unknown) => thrown);
    expect(isAppError(error, 'VALIDATION_ERROR'), String(error)).to.equal(true);
    expect((await search('number1000042')).items).to.deep.equal(['owner-1-42']);
  });
});

await describeOnMongo('MongoSearchIndex with the longest texts', (server) => {
  const database = searchDatabaseForSuite(server);
  const found = async (q: string): Promise<readonly string[]> =>
    (await database().index.search('owner-1', parseSearchQuery(q), { limit: 50, offset: 0 })).items;

  /** A text of 16 Mi characters: `alpha`, what `word` gives over and over, `omega`. */
  const textOf = (word: (i: number) => string): string => {
    const parts: string[] = [];
    for (let i = 0, length = 12; length < 16 * MEBIBYTE; i++) length += parts[parts.push(word(i)) - 1]?.length ?? 0;
    return `alpha ${parts.join('').slice(0, 16 * MEBIBYTE - 12)} omega`;
  };

  for (const [kind, word] of [
    ['of usual words', (i: number) => ['the ', 'invoice ', 'of ', `number${i % 5000} `][i % 4] ?? ''],
    ['of three bytes a character', () => '東京都庁舎請求書'],
  ] as const) {
    it(`finds words at both ends of 16 Mi characters ${kind}, and lets everything else go on while it is put`, async function () {
      this.timeout(300_000);
      const state = { turns: 0, isOver: false };
      const text = textOf(word);
      expect(text).to.have.length(16 * MEBIBYTE);
      const turn = (): void => {
        state.turns++;
        if (!state.isOver) setImmediate(turn);
      };
      setImmediate(turn);
      const start = performance.now();
      await database().index.put(aSearchEntry({ documentId: 'long', title: 'title', text }));
      state.isOver = true;
      const putMs = performance.now() - start;
      await database().index.put(aSearchEntry({ documentId: 'short', title: 'title', text: 'alpha' }));
      const searchMs: number[] = [];
      for (const [q, ids] of [
        ['omega', ['long']],
        ['alpha title', ['long', 'short']],
        [`"alpha ${word(0).trim().split(' ')[0] ?? ''}"`, ['long']],
        ['"omega alpha"', []],
        ['alpha -omega', ['short']],
        ['ome*', ['long']],
      ] as const) {
        const begun = performance.now();
        expect(await found(q), q).to.have.members([...ids]);
        searchMs.push(performance.now() - begun);
      }
      console.log(`      put in ${Math.round(putMs)} ms, searches ${searchMs.map(Math.round).join(', ')} ms`);
      // At least one for each 64 Ki characters.
      expect(state.turns).to.be.above(256);
      await database().index.remove('long');
      expect(await searchRecords(database().database).parts.countDocuments({})).to.equal(0);
    });
  }
});

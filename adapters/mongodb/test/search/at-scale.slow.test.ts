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
const BATCH = 1000;

/** An entry in the form in which `put` stores it. All words of the entry must be tokens. */
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

/**
 * Entry 1 to 10,000. All have `each text place`, 20 have `rare`, entry 1 has `place` in its title, entry 2 in its file
 * name.
 */
const entryOf = (ownerId: string, i: number): SearchEntry =>
  aSearchEntry({
    documentId: `${ownerId}-${i}`,
    ownerId,
    receivedAt: at(i),
    title: i === 1 ? 'place' : 'title',
    filename: i === 2 ? 'place' : 'name',
    text: `each text place number${1_000_000 + i}${i % (MANY / RARE) === 0 ? ' rare' : ''}`,
  });

await describeOnMongo('MongoSearchIndex with 10,000 entries', (server) => {
  const database = searchDatabaseForSuite(server, { keepsData: true });
  const search = (q: string, page = { limit: 50, offset: 0 }, ownerId = 'owner-1'): Promise<Page<string>> =>
    database().index.search(ownerId, parseSearchQuery(q), page);
  const fill = async (ownerId: string): Promise<void> => {
    const { entries } = searchRecords(database().database);
    for (let i = 1; i <= MANY; i += BATCH) {
      await entries.insertMany(Array.from({ length: BATCH }, (_, j) => recordOf(entryOf(ownerId, i + j))));
    }
  };

  before('store the entries of one owner', async function () {
    this.timeout(240_000);
    await fill('owner-1');
    // The test data have the form in which `put` stores them.
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

  it('returns the same results when another owner has as many entries', async function () {
    this.timeout(300_000);
    const queries = ['rare', 'ra*', '"text place" rare', 'rare -absent', 'each -place', 'number1000042'];
    const searchAll = async (): Promise<readonly Page<string>[]> => {
      const results: Page<string>[] = [];
      for (const q of queries) results.push(await search(q));
      return results;
    };
    const alone = await searchAll();
    expect(alone[0]).to.deep.equal({
      items: Array.from({ length: RARE }, (_, i) => `owner-1-${(RARE - i) * (MANY / RARE)}`),
      total: RARE,
    });
    await fill('owner-2');
    expect(await searchAll()).to.deep.equal(alone);
  });

  it('ranks and counts all matches and returns any page of them', async function () {
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

  it('throws VALIDATION_ERROR for a search that exceeds the time limit, and runs the next search', async () => {
    const limited = new MongoSearchIndex(database().database, { searchMs: 1 });
    const q = Array.from({ length: 40 }, (_, i) => `"each text place" -absent${i}`).join(' ');
    const error: unknown = await limited
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

  /** A text of 16 Mi characters: `alpha`, the results of `word`, `omega`. */
  const textOf = (word: (i: number) => string): string => {
    const parts: string[] = [];
    for (let i = 0, length = 12; length < 16 * MEBIBYTE; i++) length += parts[parts.push(word(i)) - 1]?.length ?? 0;
    return `alpha ${parts.join('').slice(0, 16 * MEBIBYTE - 12)} omega`;
  };

  for (const [kind, word] of [
    ['in English words', (i: number) => ['the ', 'invoice ', 'of ', `number${i % 5000} `][i % 4] ?? ''],
    ['of three bytes each', () => '東京都庁舎請求書'],
  ] as const) {
    it(`finds words at both ends of 16 Mi characters ${kind}, and put yields to the event loop at least every 64 Ki characters`, async function () {
      this.timeout(300_000);
      const state = { turns: 0, isOver: false };
      const text = textOf(word);
      expect(text).to.have.length(16 * MEBIBYTE);
      const turn = (): void => {
        state.turns++;
        if (!state.isOver) setImmediate(turn);
      };
      setImmediate(turn);
      await database().index.put(aSearchEntry({ documentId: 'long', title: 'title', text }));
      state.isOver = true;
      await database().index.put(aSearchEntry({ documentId: 'short', title: 'title', text: 'alpha' }));
      for (const [q, ids] of [
        ['omega', ['long']],
        ['alpha title', ['long', 'short']],
        [`"alpha ${word(0).trim().split(' ')[0] ?? ''}"`, ['long']],
        ['"omega alpha"', []],
        ['alpha -omega', ['short']],
        ['ome*', ['long']],
      ] as const) {
        expect(await found(q), q).to.have.members([...ids]);
      }
      expect(state.turns).to.be.above(256);
      await database().index.remove('long');
      expect(await searchRecords(database().database).parts.countDocuments({})).to.equal(0);
    });
  }
});

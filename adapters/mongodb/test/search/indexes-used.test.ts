import { aSearchEntry, at } from '@palimpsest/contract-tests';
import { parseSearchQuery } from '@palimpsest/core';
import { expect } from 'chai';
import type { Collection, Document } from 'mongodb';
import { searchRecords } from '../../src/search/entry-records.ts';
import { LongEntries } from '../../src/search/long-entries.ts';
import { MongoSearchIndex } from '../../src/search/mongo-search-index.ts';
import { ShortEntries } from '../../src/search/short-entries.ts';
import { Deadline } from '../../src/search/deadline.ts';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { searchDatabaseForSuite } from './search-database.ts';

const TINY = { wordsLength: 100, termsLength: 250, phraseTokens: 4 };
const EVERYTHING = { skip: 0, limit: 50 };

/** Records the pipelines of all later aggregations on `collection`. */
const recordAggregates = <T extends Document>(collection: Collection<T>): readonly Document[][] => {
  const sent: Document[][] = [];
  const aggregate = collection.aggregate.bind(collection);
  collection.aggregate = <R extends Document>(stages?: Document[], options?: object) => {
    sent.push(stages ?? []);
    return aggregate<R>(stages, options);
  };
  return sent;
};

await describeOnMongo('The queries of MongoSearchIndex', (server) => {
  const database = searchDatabaseForSuite(server, { keepsData: true });

  before('store entries', async function () {
    this.timeout(60_000);
    const index = new MongoSearchIndex(database().database, { limits: TINY });
    for (let i = 0; i < 100; i++) {
      const text =
        i % 10 === 0 ? `letter number${i} of many more words than one record holds `.repeat(5) : `letter number${i}`;
      await index.put(aSearchEntry({ documentId: `${i}`, ownerId: `owner-${i % 2}`, receivedAt: at(i), text }));
    }
  });

  /** The explained plans of all aggregations of a search. */
  const plansOf = async (
    q: string,
  ): Promise<{ readonly entries: readonly string[]; readonly parts: readonly string[] }> => {
    const records = searchRecords(database().database);
    const [ofEntries, ofParts] = [recordAggregates(records.entries), recordAggregates(records.parts)];
    const [query, deadline] = [parseSearchQuery(q), new Deadline(10_000)];
    const short = await ShortEntries.find(records.entries, deadline, 'owner-0', query);
    await short.count();
    await short.list(EVERYTHING, true);
    const long = new LongEntries(records, deadline, 'owner-0');
    const listed = await long.list();
    expect(listed).to.have.length(10);
    await long.matching(listed, query);
    const plain = searchRecords(database().database);
    const explained = async (stages: Document[], of: 'entries' | 'parts'): Promise<string> => {
      const aggregate = of === 'entries' ? plain.entries.aggregate(stages) : plain.parts.aggregate(stages);
      return JSON.stringify(await aggregate.explain('queryPlanner'));
    };
    return {
      entries: await Promise.all([...ofEntries].map((stages) => explained(stages, 'entries'))),
      parts: await Promise.all([...ofParts].map((stages) => explained(stages, 'parts'))),
    };
  };

  for (const [q, entriesIndex, partsIndex] of [
    ['number12', 'search_entries_terms', 'search_parts_terms'],
    ['letter -number14', 'search_entries_terms', 'search_parts_terms'],
    ['num*', 'search_entries_terms', 'search_parts_terms'],
    ['"letter number20" more', 'search_entries_terms', 'search_parts_terms'],
    ['nu*', 'search_entries_listed', 'search_parts_put'],
    ['-number14', 'search_entries_listed', 'search_parts_terms'],
  ] as const) {
    it(`use an index on the owner or on the put: ${q}`, async () => {
      const { entries, parts } = await plansOf(q);
      expect(entries).to.have.length.above(1);
      for (const plan of entries) expect(plan).to.include(entriesIndex).and.not.include('COLLSCAN');
      expect(parts).to.have.length(1);
      for (const plan of parts) expect(plan).to.include(partsIndex).and.not.include('COLLSCAN');
    });
  }
});

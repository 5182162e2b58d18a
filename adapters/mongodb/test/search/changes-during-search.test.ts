import { aSearchEntry } from '@palimpsest/contract-tests';
import { parseSearchQuery } from '@palimpsest/core';
import type { Database } from '@palimpsest/mongodb';
import { expect } from 'chai';
import type { Collection, Document } from 'mongodb';
import { MongoSearchIndex } from '../../src/search/mongo-search-index.ts';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { searchDatabaseForSuite } from './search-database.ts';

const TINY = { wordsLength: 100, termsLength: 250, phraseTokens: 4 };
const SHORT = 'always';
const LONG = `always ${Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ')}`;

/** The same database, but each read first awaits `beforeRead`. */
const withReadsAfter = (database: Database, beforeRead: () => Promise<void>): Database => {
  const delayed = <T extends { toArray: () => Promise<unknown[]> }>(cursor: T): T => {
    const toArray = cursor.toArray.bind(cursor);
    cursor.toArray = async () => {
      await beforeRead();
      return toArray();
    };
    return cursor;
  };
  const collectionOf = (name: string): Collection => {
    const collection = database.collection(name);
    return Object.assign(Object.create(collection) as Collection, {
      find: (filter: Document, options: Document) => delayed(collection.find(filter, options)),
      aggregate: (pipeline: Document[], options: Document) => delayed(collection.aggregate(pipeline, options)),
    });
  };
  return Object.assign(Object.create(database) as Database, {
    collection: collectionOf,
    run: database.run.bind(database),
  });
};

await describeOnMongo('A search in MongoDB while an entry changes', (server) => {
  const database = searchDatabaseForSuite(server);

  for (const [change, first, second] of [
    ['from short to long and back', LONG, SHORT],
    ['from short to another short text', SHORT, SHORT],
  ] as const) {
    for (const read of [1, 2, 3])
      it(`finds an entry that changes ${change} at read ${read} and the next read`, async () => {
        const index = new MongoSearchIndex(database().database, { limits: TINY });
        const entryOf = (version: number, text: string) => aSearchEntry({ documentId: 'document-1', version, text });
        await index.put(entryOf(1, SHORT));
        let reads = 0;
        const searching = new MongoSearchIndex(
          withReadsAfter(database().database, async () => {
            reads++;
            if (reads === read) await index.put(entryOf(2, first));
            if (reads === read + 1) await index.put(entryOf(3, second));
          }),
          { limits: TINY },
        );
        const page = { limit: 50, offset: 0 };
        expect(await searching.search('owner-1', parseSearchQuery('always'), page)).to.deep.equal({
          items: ['document-1'],
          total: 1,
        });
        expect(reads).to.be.above(read);
      });
  }
});

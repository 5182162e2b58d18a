import { aSearchEntry } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { searchRecords, type PartRecord } from '../../src/search/entry-records.ts';
import { MongoSearchIndex } from '../../src/search/mongo-search-index.ts';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { searchDatabaseForSuite } from './search-database.ts';

const TINY = { wordsLength: 100, termsLength: 250, phraseTokens: 4 };
const LONG = Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ');

await describeOnMongo(
  'A stray part in MongoDB: stored after its put was dropped, by a process that then crashed',
  (server) => {
    const database = searchDatabaseForSuite(server);
    const parts = () => searchRecords(database().database).parts;

    const indexWithParts = (): MongoSearchIndex => new MongoSearchIndex(database().database, { limits: TINY });

    /** Stores a part of a put that is not registered. */
    const storeStrayPart = async (documentId: string): Promise<void> => {
      const part: PartRecord = {
        _id: `stray ${documentId}:7`,
        documentId,
        ownerId: 'owner-1',
        put: `stray ${documentId}`,
        field: 'text',
        words: ' secret ',
        after: '',
        terms: 'wsecret',
      };
      await parts().insertOne(part);
    };

    it('is removed with its document, and the parts of other documents remain', async function () {
      this.timeout(60_000);
      const index = indexWithParts();
      for (const documentId of ['document-1', 'document-2']) {
        await index.put(aSearchEntry({ documentId, text: LONG }));
        await storeStrayPart(documentId);
      }
      const count = await parts().countDocuments({ documentId: 'document-2' });
      expect(count).to.be.above(2);
      await index.remove('document-1');
      expect(await parts().countDocuments({ documentId: 'document-1' })).to.equal(0);
      expect(await parts().countDocuments({})).to.equal(count);
    });

    it('is found by scan and removed by remove when its document has no entry', async () => {
      const index = indexWithParts();
      for (const documentId of ['document-2', 'document-4']) await index.put(aSearchEntry({ documentId }));
      for (const documentId of ['document-1', 'document-2', 'document-3', 'document-5'])
        await storeStrayPart(documentId);
      const all = [1, 2, 3, 4, 5].map((n) => `document-${n}`);
      expect(await index.scan(undefined, 10)).to.deep.equal(all);
      for (const limit of [0, 1, 2, 3, 4, 5]) {
        expect(await index.scan(undefined, limit), `up to ${limit}`).to.deep.equal(all.slice(0, limit));
        expect(await index.scan('document-1', limit), `up to ${limit} after one`).to.deep.equal(
          all.slice(1, 1 + limit),
        );
      }
      for (const documentId of all) await index.remove(documentId);
      expect(await parts().countDocuments({})).to.equal(0);
      expect(await index.scan(undefined, 10)).to.deep.equal([]);
    });

    it('is not confused with a part of a put that runs while the document is removed', async function () {
      this.timeout(60_000);
      const index = indexWithParts();
      const other = await database().open({ limits: TINY });
      await index.put(aSearchEntry({ documentId: 'document-1', version: 1, text: LONG }));
      const putting = other.put(aSearchEntry({ documentId: 'document-1', version: 2, text: LONG }));
      await index.remove('document-1');
      await putting;
      // The removal came before the put or during it. Either way, a complete entry or no part remains.
      const count = await parts().countDocuments({});
      if ((await index.versionOf('document-1')) === undefined) expect(count).to.equal(0);
      else
        expect(await parts().countDocuments({ documentId: 'document-1' }))
          .to.equal(count)
          .and.to.be.above(2);
    });
  },
);

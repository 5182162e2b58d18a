import { aSearchEntry } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { searchRecords, type PartRecord } from '../../src/search/entry-records.ts';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { searchDatabaseForSuite } from './search-database.ts';

const LONG = Array.from({ length: 60_000 }, (_, i) => `word${i}`).join(' ');

await describeOnMongo(
  'A part of a long entry that comes when its put was dropped, from a process that dies then',
  (server) => {
    const database = searchDatabaseForSuite(server);
    const parts = () => searchRecords(database().database).parts;

    /** Stores a part as a process does that began a put of the document before it was removed, or put anew. */
    const strayOf = async (documentId: string): Promise<void> => {
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

    it('is gone when its document is removed, and nothing of another document is', async function () {
      this.timeout(60_000);
      const { index } = database();
      for (const documentId of ['document-1', 'document-2']) {
        await index.put(aSearchEntry({ documentId, text: LONG }));
        await strayOf(documentId);
      }
      const count = await parts().countDocuments({ documentId: 'document-2' });
      expect(count).to.be.above(2);
      await index.remove('document-1');
      expect(await parts().countDocuments({ documentId: 'document-1' })).to.equal(0);
      expect(await parts().countDocuments({})).to.equal(count);
    });

    it('is found by a sweep where its document is gone already, and removed like an entry', async () => {
      const { index } = database();
      for (const documentId of ['document-2', 'document-4']) await index.put(aSearchEntry({ documentId }));
      for (const documentId of ['document-1', 'document-2', 'document-3', 'document-5']) await strayOf(documentId);
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

    it('leaves a put alone that is on its way while the document is removed', async function () {
      this.timeout(60_000);
      const { index, open } = database();
      const other = await open();
      await index.put(aSearchEntry({ documentId: 'document-1', version: 1, text: LONG }));
      const putting = other.put(aSearchEntry({ documentId: 'document-1', version: 2, text: LONG }));
      await index.remove('document-1');
      await putting;
      // The removal came in the middle of it, or before; both leave what is whole.
      const count = await parts().countDocuments({});
      if ((await index.versionOf('document-1')) === undefined) expect(count).to.equal(0);
      else
        expect(await parts().countDocuments({ documentId: 'document-1' }))
          .to.equal(count)
          .and.to.be.above(2);
    });
  },
);

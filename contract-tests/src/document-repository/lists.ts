import type { Document, DocumentRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { openForEach, testsOf, type Open } from '../kit/harness.ts';
import { aCompletedDocument, aDeletingDocument, aDocument, aFailedDocument, aProcessingDocument } from './samples.ts';
import { at, idsInOrder, lookalikes, sampleId, strangeTexts } from '../kit/samples.ts';

const all = { limit: 200, offset: 0 };

const idsOf = (documents: readonly Document[]): readonly string[] => documents.map(({ id }) => id);

/** Numbers 0 to `count - 1` in an order that is neither ascending nor descending. */
const shuffled = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => (i * 7 + 3) % count);

/** Tests the list of an owner, the scan of all documents, `findPurgeable` and `referencedBlobs`. */
export const describeDocumentLists = (open: Open<DocumentRepository>): void => {
  describe('lists', () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('returns an empty list for an owner without documents', async (documents) => {
      await documents.add(aDocument({ ownerId: 'owner-2' }));
      for (const owner of ['owner-1', 'owner-', 'owner-22', 'OWNER-2', '', '__proto__', '$ne', '\ud800', '\0', '%']) {
        expect(await documents.list(owner, all), owner).to.deep.equal({ items: [], total: 0 });
      }
    });

    test('lists the newest documents first, even if they were stored in another order', async (documents) => {
      for (const i of shuffled(20)) await documents.add(aDocument({ id: sampleId(100 - i), receivedAt: at(i) }));
      const { items, total } = await documents.list('owner-1', all);
      expect(total).to.equal(20);
      expect(items.map(({ receivedAt }) => receivedAt)).to.deep.equal(Array.from({ length: 20 }, (_, i) => at(19 - i)));
    });

    test('orders times that differ by one microsecond', async (documents) => {
      for (const i of shuffled(5)) await documents.add(aDocument({ id: sampleId(i), receivedAt: at(0) - i }));
      expect(idsOf((await documents.list('owner-1', all)).items)).to.deep.equal([0, 1, 2, 3, 4].map(sampleId));
    });

    test('lists documents with the same time by id, highest first', async (documents) => {
      for (const i of shuffled(20)) await documents.add(aDocument({ id: sampleId(i) }));
      const { items } = await documents.list('owner-1', all);
      expect(idsOf(items)).to.deep.equal(Array.from({ length: 20 }, (_, i) => sampleId(19 - i)));
    });

    test('lists complete documents in every status except deleting, and counts the same ones', async (documents) => {
      const visible = [aDocument(), aProcessingDocument(), aCompletedDocument(), aFailedDocument()];
      for (const [i, document] of visible.entries()) await documents.add({ ...document, receivedAt: at(-i) });
      await documents.add(aDeletingDocument());
      expect(await documents.list('owner-1', all)).to.deep.equal({
        items: visible.map((document, i) => ({ ...document, receivedAt: at(-i) })),
        total: 4,
      });
    });

    test('removes a document from the list when its status becomes deleting', async (documents) => {
      const kept = aDocument();
      const deleted = aDocument();
      await documents.add(kept);
      await documents.add(deleted);
      await documents.replace(aDeletingDocument({ id: deleted.id, version: 2 }));
      expect(await documents.list('owner-1', all)).to.deep.equal({ items: [kept], total: 1 });
      expect(await documents.list('owner-1', { limit: 1, offset: 1 })).to.deep.equal({ items: [], total: 1 });
      await documents.replace(aDeletingDocument({ id: kept.id, version: 2 }));
      expect(await documents.list('owner-1', all)).to.deep.equal({ items: [], total: 0 });
    });

    test('lists the documents of owners with unusual ids', async (documents) => {
      for (const ownerId of strangeTexts) await documents.add(aDocument({ ownerId }));
      for (const ownerId of strangeTexts) {
        const { items, total } = await documents.list(ownerId, all);
        expect([items.map((document) => document.ownerId), total]).to.deep.equal([[ownerId], 1]);
      }
    });

    test('returns pages that together are the whole list', async (documents) => {
      for (const i of shuffled(10)) {
        await documents.add(aDocument({ id: sampleId(i), receivedAt: at(Math.floor(i / 3)) }));
        await documents.add(aDocument({ ownerId: 'owner-2', receivedAt: at(i) }));
      }
      const whole = (await documents.list('owner-1', all)).items;
      expect(idsOf(whole)).to.deep.equal(Array.from({ length: 10 }, (_, i) => sampleId(9 - i)));
      for (const limit of [1, 3, 5, 9, 10, 11]) {
        for (let offset = 0; offset < 12; offset++) {
          expect(await documents.list('owner-1', { limit, offset }), `${limit} from ${offset}`).to.deep.equal({
            items: whole.slice(offset, offset + limit),
            total: 10,
          });
        }
      }
    });

    test('returns pages of up to 200 documents', async (documents) => {
      await Promise.all(Array.from({ length: 210 }, () => documents.add(aDocument())));
      const first = await documents.list('owner-1', all);
      const rest = await documents.list('owner-1', { limit: 200, offset: 200 });
      expect([first.items.length, first.total, rest.items.length, rest.total]).to.deep.equal([200, 210, 10, 210]);
      expect(new Set(idsOf([...first.items, ...rest.items])).size).to.equal(210);
    });

    test('finds only deleted documents whose `purgeAfter` has passed', async (documents) => {
      const due = [
        aDeletingDocument({ purgeAfter: at(10) }),
        aDeletingDocument({ purgeAfter: at(9), ownerId: 'owner-2' }),
      ];
      const others = [
        aDeletingDocument({ purgeAfter: at(10) + 1 }),
        aDocument(),
        aProcessingDocument(),
        aCompletedDocument(),
        aFailedDocument(),
      ];
      for (const document of [...due, ...others]) await documents.add(document);
      expect(await documents.findPurgeable(at(10), 100)).to.have.deep.members(due);
      expect(await documents.findPurgeable(at(8), 100)).to.deep.equal([]);
    });

    test('finds at most `limit` documents to purge, and the rest after those are removed', async (documents) => {
      for (let i = 0; i < 5; i++) await documents.add(aDeletingDocument());
      const found = new Set<string>();
      for (const expected of [2, 2, 1, 0]) {
        const batch = await documents.findPurgeable(at(0), 2);
        expect(batch).to.have.length(expected);
        for (const { id } of batch) {
          found.add(id);
          await documents.remove(id);
        }
      }
      expect(found.size).to.equal(5);
    });

    test('scans all documents of all owners in every status once, by id', async (documents) => {
      expect(await documents.scan(undefined, 10)).to.deep.equal([]);
      const stored = [aDocument, aProcessingDocument, aCompletedDocument, aFailedDocument, aDeletingDocument].flatMap(
        (make, i) =>
          shuffled(4).map((j) => make({ id: sampleId(5 * j + i), ownerId: `owner-${j % 2}`, receivedAt: at(-j) })),
      );
      for (const document of stored) await documents.add(document);
      const inOrder = [...stored].sort((a, b) => (a.id < b.id ? -1 : 1));
      for (const limit of [1, 3, 19, 20, 21]) {
        const seen: Document[] = [];
        for (let after: string | undefined; ; after = seen.at(-1)?.id) {
          const batch = await documents.scan(after, limit);
          if (batch.length === 0) break;
          expect(batch.length, `at most ${limit}`).to.be.within(1, limit);
          seen.push(...batch);
          expect(seen.length, 'each document once').to.be.at.most(stored.length);
        }
        expect(seen, `${limit} at a time`).to.deep.equal(inOrder);
      }
    });

    test('continues a scan after the id of a removed document', async (documents) => {
      for (let i = 0; i < 3; i++) await documents.add(aDocument({ id: sampleId(i) }));
      await documents.remove(sampleId(1));
      expect(idsOf(await documents.scan(sampleId(1), 10))).to.deep.equal([sampleId(2)]);
      expect(idsOf(await documents.scan(sampleId(2), 10))).to.deep.equal([]);
    });

    test('returns the referenced blob keys of documents in every status', async (documents) => {
      const stored = [aDocument(), aProcessingDocument(), aCompletedDocument(), aFailedDocument(), aDeletingDocument()];
      for (const document of stored) await documents.add(document);
      const used = stored.map(({ blobKey }) => blobKey);
      expect(
        [...(await documents.referencedBlobs([...used, 'unused', '', '__proto__', '$ne', used[0] ?? '']))].sort(),
      ).to.deep.equal([...used].sort());
      expect([...(await documents.referencedBlobs(used.slice(1, 2)))]).to.deep.equal(used.slice(1, 2));
      expect((await documents.referencedBlobs([])).size).to.equal(0);
      expect(
        (await documents.referencedBlobs(['documents', 'documents/', used[0]?.toUpperCase() ?? ''])).size,
      ).to.equal(0);
    });

    test('finds each referenced key among 4,000 keys', async (documents) => {
      // These keys are next to multiples of 100, where batches usually begin and end.
      const used = Array.from({ length: 40 }, (_, i) => [0, 98, 99].map((rest) => 100 * i + rest)).flat();
      await Promise.all(used.map((i) => documents.add(aDocument({ blobKey: `documents/${i}` }))));
      const keys = Array.from({ length: 4_000 }, (_, i) => `documents/${i}`);
      expect([...(await documents.referencedBlobs(keys))].sort()).to.deep.equal(
        used.map((i) => `documents/${i}`).sort(),
      );
    });

    test('does not confuse similar blob keys or owners', async (documents) => {
      for (const [i, text] of lookalikes.entries()) {
        await documents.add(aDocument({ ownerId: text, blobKey: text }));
        expect([...(await documents.referencedBlobs(lookalikes))]).to.have.members(lookalikes.slice(0, i + 1));
        for (const owner of lookalikes.slice(i + 1)) expect((await documents.list(owner, all)).total).to.equal(0);
      }
    });

    test('orders ids by their characters, not as numbers or words', async (documents) => {
      for (const i of [6, 0, 3, 1, 4, 2, 5]) await documents.add(aDocument({ id: idsInOrder[i] ?? '' }));
      for (const limit of [1, 2, 10]) {
        const seen: string[] = [];
        for (
          let batch = await documents.scan(undefined, limit);
          batch.length > 0;
          batch = await documents.scan(seen.at(-1), limit)
        ) {
          seen.push(...idsOf(batch));
          expect(seen.length, 'each document once').to.be.at.most(idsInOrder.length);
        }
        expect(seen, `${limit} at a time`).to.deep.equal(idsInOrder);
      }
      expect(idsOf((await documents.list('owner-1', all)).items)).to.deep.equal(idsInOrder.toReversed());
      for (const id of idsInOrder) {
        expect((await documents.nextClaimable(at(0)))?.id).to.equal(id);
        await documents.remove(id);
      }
    });

    test('does not reference the blob of a removed document', async (documents) => {
      const [gone, kept] = [aDocument({ blobKey: 'shared' }), aDocument({ blobKey: 'shared' })];
      await documents.add(gone);
      await documents.add(kept);
      await documents.remove(gone.id);
      expect((await documents.referencedBlobs(['shared'])).has('shared')).to.equal(true);
      await documents.remove(kept.id);
      expect((await documents.referencedBlobs(['shared'])).size).to.equal(0);
    });
  });
};

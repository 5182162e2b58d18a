import type { DocumentRepository } from '@palimpsest/core';
import { expect } from 'chai';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { aCompletedDocument, aDeletingDocument, aDocument, aFailedDocument, aProcessingDocument } from './samples.ts';
import { at, sampleId } from '../kit/samples.ts';
import { claimed, claimNext, serve } from './claim-steps.ts';
import { describeFairness } from './fairness.ts';

/** Tests which document `nextClaimable` returns. */
export const describeDocumentClaims = (open: Open<DocumentRepository>, without: Without): void => {
  describe('nextClaimable', () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('returns `undefined` if no document waits', async (documents) => {
      expect(await documents.nextClaimable(at(0))).to.equal(undefined);
      for (const document of [aCompletedDocument(), aFailedDocument(), aDeletingDocument()])
        await documents.add(document);
      expect(await documents.nextClaimable(at(1e6))).to.equal(undefined);
    });

    test('returns a queued document from `notBefore` on, not one microsecond earlier', async (documents) => {
      const document = aDocument({ notBefore: at(5) });
      await documents.add(document);
      expect(await documents.nextClaimable(at(5) - 1)).to.equal(undefined);
      expect(await documents.nextClaimable(at(5))).to.deep.equal(document);
    });

    test('returns a document from the expiry of its lease on, not one microsecond earlier', async (documents) => {
      const document = aProcessingDocument();
      await documents.add(document);
      expect(await documents.nextClaimable(document.lease.expiresAt - 1)).to.equal(undefined);
      expect(await documents.nextClaimable(document.lease.expiresAt)).to.deep.equal(document);
    });

    test('does not claim the document', async (documents) => {
      const document = aDocument();
      await documents.add(document);
      for (let i = 0; i < 3; i++) expect(await documents.nextClaimable(at(0))).to.deep.equal(document);
      expect(await documents.find(document.id)).to.deep.equal(document);
    });

    test('reflects each change of a document', async (documents) => {
      const document = aDocument();
      await documents.add(document);
      const held = claimed(document, at(0));
      await documents.replace(held);
      expect(await documents.nextClaimable(at(29))).to.equal(undefined);
      const renewed = { ...held, lease: { ...held.lease, expiresAt: at(50) }, version: 3 };
      await documents.replace(renewed);
      expect(await documents.nextClaimable(at(49))).to.equal(undefined);
      expect(await documents.nextClaimable(at(50))).to.deep.equal(renewed);
      const queued = aDocument({ id: document.id, notBefore: at(60), version: 4 });
      await documents.replace(queued);
      expect(await documents.nextClaimable(at(59))).to.equal(undefined);
      expect(await documents.nextClaimable(at(60))).to.deep.equal(queued);
      await documents.replace(aDeletingDocument({ id: document.id, version: 5 }));
      expect(await documents.nextClaimable(at(1e6))).to.equal(undefined);
    });

    test('returns the documents of one owner by time of receipt, then by id', async (documents) => {
      const moments = [2, 0, 1, 0, 2, 1];
      for (const [i, moment] of moments.entries()) {
        // The documents become due and are stored in another order.
        await documents.add(aDocument({ id: sampleId(i), receivedAt: at(moment), notBefore: at(10 - i) }));
      }
      const order: (string | undefined)[] = [];
      for (let i = 0; i < 6; i++) order.push((await claimNext(documents, at(20)))?.id);
      expect(order).to.deep.equal([1, 3, 2, 5, 0, 4].map(sampleId));
      expect(await documents.nextClaimable(at(20))).to.equal(undefined);
    });

    test('skips documents that are not due', async (documents) => {
      await documents.add(aDocument({ receivedAt: at(0), notBefore: at(100) }));
      await documents.add(
        aProcessingDocument({ receivedAt: at(0), lease: { token: 't', claimedAt: at(0), expiresAt: at(100) } }),
      );
      const due = aDocument({ receivedAt: at(1) });
      await documents.add(due);
      expect(await documents.nextClaimable(at(2))).to.deep.equal(due);
    });

    test('ignores owners without a due document', async (documents) => {
      await serve(documents, 'busy', at(0));
      await documents.add(aDocument({ ownerId: 'idle', notBefore: at(100) }));
      const due = aDocument({ ownerId: 'busy' });
      await documents.add(due);
      expect(await documents.nextClaimable(at(2))).to.deep.equal(due);
    });

    test('returns each claimable document once if each is claimed, and then `undefined`', async (documents) => {
      for (let i = 0; i < 4; i++) {
        await documents.add(aDocument({ ownerId: `owner-${i % 3}`, notBefore: at(i) }));
        await documents.add(
          aProcessingDocument({
            ownerId: `owner-${i % 2}`,
            lease: { token: `t${i}`, claimedAt: at(-9), expiresAt: at(i) },
          }),
        );
        await documents.add(aFailedDocument({ ownerId: `owner-${i % 2}` }));
      }
      for (let left = 8; left > 0; left--) expect(await claimNext(documents, at(3))).to.not.equal(undefined);
      expect(await documents.nextClaimable(at(3))).to.equal(undefined);
    });

    describeFairness(test);

    test('lets exactly one of many concurrent workers claim each document', async (documents) => {
      await Promise.all(Array.from({ length: 30 }, (_, i) => documents.add(aDocument({ ownerId: `owner-${i % 4}` }))));
      const taken: string[] = [];
      let tries = 0;
      const worker = async (): Promise<void> => {
        for (
          let next = await documents.nextClaimable(at(0));
          next !== undefined;
          next = await documents.nextClaimable(at(0))
        ) {
          expect(++tries, 'number of claims').to.be.below(1_000);
          if (await documents.replace(claimed(next, at(0)))) taken.push(next.id);
        }
      };
      await Promise.all(Array.from({ length: 5 }, worker));
      expect([taken.length, new Set(taken).size]).to.deep.equal([30, 30]);
    });

    describeWith('openSecond', opened, without, (second) => {
      test('shares the service order of the owners between both handles', async (here) => {
        const there = await second();
        await serve(here, 'a-served', at(0));
        await there.add(aDocument({ ownerId: 'a-served', receivedAt: at(-9) }));
        await there.add(aDocument({ ownerId: 'b-new' }));
        expect((await there.nextClaimable(at(10)))?.ownerId).to.equal('b-new');
        await serve(there, 'b-new', at(1));
        expect((await here.nextClaimable(at(10)))?.ownerId).to.equal('a-served');
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      it('keeps the service order of the owners', async () => {
        await serve(opened().subject, 'a-served', at(0));
        const documents = await reopen();
        await documents.add(aDocument({ ownerId: 'a-served', receivedAt: at(-9) }));
        await documents.add(aDocument({ ownerId: 'b-new' }));
        expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('b-new');
      });
    });
  });
};

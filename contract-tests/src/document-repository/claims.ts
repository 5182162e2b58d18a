import type { Document, DocumentRepository, Instant, ProcessingDocument } from '@palimpsest/core';
import { expect } from 'chai';
import { describeWith, openForEach, testsOf, type Open, type Without } from '../kit/harness.ts';
import { aCompletedDocument, aDeletingDocument, aDocument, aFailedDocument, aProcessingDocument } from './samples.ts';
import { at, MANY, sampleId } from '../kit/samples.ts';

/** The document as claimed at `now` by a worker, with a lease of 30 seconds or until `expiresAt`. */
const claimed = (document: Document, now: Instant, expiresAt: Instant = now + 30_000_000): ProcessingDocument => {
  const run = sampleId();
  const { id, ownerId, receivedAt, blobKey, version } = document;
  return aProcessingDocument({
    id,
    ownerId,
    receivedAt,
    blobKey,
    run,
    lease: { token: run, claimedAt: now, expiresAt },
    version: version + 1,
  });
};

const claimNext = async (documents: DocumentRepository, now: Instant): Promise<Document | undefined> => {
  const next = await documents.nextClaimable(now);
  if (next !== undefined) expect(await documents.replace(claimed(next, now))).to.equal(true);
  return next;
};

/** Claims all documents one after the other and returns their owners. */
const ownersServed = async (documents: DocumentRepository, now: Instant): Promise<readonly string[]> => {
  const owners: string[] = [];
  for (let next = await claimNext(documents, now); next !== undefined; next = await claimNext(documents, now)) {
    owners.push(next.ownerId);
    expect(owners.length, 'number of claims').to.be.below(100);
  }
  return owners;
};

/** Claims a document of the owner at `now` and completes it at once. */
const serve = async (documents: DocumentRepository, ownerId: string, now: Instant): Promise<void> => {
  const document = aDocument({ ownerId });
  await documents.add(document);
  const held = claimed(document, now);
  expect(await documents.replace(held)).to.equal(true);
  expect(await documents.replace(aCompletedDocument({ id: held.id, ownerId, version: held.version + 1 }))).to.equal(
    true,
  );
};

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

    test('prefers the owner with the fewest documents in progress', async (documents) => {
      for (const [ownerId, inProgress] of [
        ['three', 3],
        ['one', 1],
        ['two', 2],
      ] as const) {
        for (let i = 0; i < inProgress; i++) await documents.add(aProcessingDocument({ ownerId }));
        // The more documents an owner has in progress, the earlier the waiting one was received.
        await documents.add(aDocument({ ownerId, receivedAt: at(-inProgress) }));
      }
      expect((await documents.nextClaimable(at(0)))?.ownerId).to.equal('one');
    });

    test('counts only documents with an unexpired lease as in progress', async (documents) => {
      const lease = { token: 't', claimedAt: at(0), expiresAt: at(10) };
      // Five expired leases count less than one that has not expired.
      for (let i = 0; i < 5; i++)
        await documents.add(aProcessingDocument({ ownerId: 'crashed', lease, receivedAt: at(5) }));
      await documents.add(aProcessingDocument({ ownerId: 'busy', lease: { ...lease, expiresAt: at(10) + 1 } }));
      await documents.add(aDocument({ ownerId: 'busy', receivedAt: at(-5) }));
      for (const end of [aCompletedDocument, aFailedDocument, aDeletingDocument])
        await documents.add(end({ ownerId: 'crashed' }));
      expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('crashed');
      expect((await documents.nextClaimable(at(10) - 1))?.ownerId).to.equal('busy');
    });

    test('alternates between owners with many and few waiting documents', async (documents) => {
      for (let i = 0; i < 6; i++) await documents.add(aDocument({ ownerId: 'many', receivedAt: at(i) }));
      await documents.add(aDocument({ ownerId: 'one', receivedAt: at(100), notBefore: at(0) }));
      await documents.add(aDocument({ ownerId: 'some', receivedAt: at(101), notBefore: at(0) }));
      await documents.add(aDocument({ ownerId: 'some', receivedAt: at(102), notBefore: at(0) }));
      const owners = await ownersServed(documents, at(200));
      expect(owners.slice(0, 3).sort()).to.deep.equal(['many', 'one', 'some']);
      expect(owners.slice(3, 5).sort()).to.deep.equal(['many', 'some']);
      expect(owners.slice(5)).to.deep.equal(['many', 'many', 'many', 'many']);
    });

    test(`prefers an owner without documents in progress over an owner with ${MANY} earlier documents`, async (documents) => {
      await documents.add(aProcessingDocument({ ownerId: 'many' }));
      await Promise.all(
        Array.from({ length: MANY }, (_, i) => documents.add(aDocument({ ownerId: 'many', receivedAt: at(-i - 1) }))),
      );
      const only = aDocument({ ownerId: 'one', receivedAt: at(1) });
      await documents.add(only);
      expect(await documents.nextClaimable(at(2))).to.deep.equal(only);
    });

    test('prefers an owner who was never served', async (documents) => {
      await serve(documents, 'a-served', at(0));
      await documents.add(aDocument({ ownerId: 'a-served', receivedAt: at(-100) }));
      await documents.add(aDocument({ ownerId: 'b-new', receivedAt: at(0) }));
      expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('b-new');
    });

    test('prefers the owner who was served longest ago', async (documents) => {
      for (const [i, ownerId] of ['b', 'c', 'a', 'b'].entries()) await serve(documents, ownerId, at(i));
      // The waiting documents were received in another order.
      for (const [i, ownerId] of ['b', 'a', 'c'].entries())
        await documents.add(aDocument({ ownerId, receivedAt: at(i - 50) }));
      const owners: (string | undefined)[] = [];
      for (let i = 0; i < 3; i++) {
        const next = await documents.nextClaimable(at(10));
        owners.push(next?.ownerId);
        await documents.remove(next?.id ?? '');
      }
      expect(owners).to.deep.equal(['c', 'a', 'b']);
    });

    test('compares the number of documents in progress before the time of the last service', async (documents) => {
      await documents.add(aProcessingDocument({ ownerId: 'never-served' }));
      await serve(documents, 'just-served', at(5));
      await documents.add(aDocument({ ownerId: 'never-served', receivedAt: at(-9) }));
      await documents.add(aDocument({ ownerId: 'just-served' }));
      expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('just-served');
    });

    test('remembers when an owner was served after their documents are removed', async (documents) => {
      const document = aDocument({ ownerId: 'a-served' });
      await documents.add(document);
      await documents.replace(claimed(document, at(0)));
      await documents.remove(document.id);
      await documents.add(aDocument({ ownerId: 'a-served', receivedAt: at(-9) }));
      await documents.add(aDocument({ ownerId: 'b-new' }));
      expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('b-new');
    });

    test('counts neither a failed update nor a renewed lease as service', async (documents) => {
      const first = aDocument({ ownerId: 'first' });
      await documents.add(first);
      const held = claimed(first, at(0));
      await documents.replace(held);
      await serve(documents, 'second', at(1));
      const renewed = { ...held, lease: { ...held.lease, expiresAt: at(40) }, pagesDone: 1, version: 3 };
      expect(await documents.replace(renewed)).to.equal(true);
      expect(await documents.replace({ ...renewed, run: 'late', lease: { ...held.lease, token: 'late' } })).to.equal(
        false,
      );
      await documents.replace(aCompletedDocument({ id: first.id, ownerId: 'first', version: 4 }));
      await documents.add(aDocument({ ownerId: 'second', receivedAt: at(-9) }));
      await documents.add(aDocument({ ownerId: 'first' }));
      expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('first');
    });

    test('counts the claim of a document with an expired lease as service', async (documents) => {
      const crashed = aDocument({ ownerId: 'crashed' });
      await documents.add(crashed);
      const held = claimed(crashed, at(0), at(1));
      await documents.replace(held);
      await serve(documents, 'other', at(2));
      const again = claimed(held, at(3));
      expect(await documents.replace(again)).to.equal(true);
      await documents.replace(aFailedDocument({ id: crashed.id, ownerId: 'crashed', version: again.version + 1 }));
      await documents.add(aDocument({ ownerId: 'crashed', receivedAt: at(-9) }));
      await documents.add(aDocument({ ownerId: 'other' }));
      expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('other');
    });

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
      test('knows when an owner was served through the first handle', async (here) => {
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
      it('knows when an owner was served', async () => {
        await serve(opened().subject, 'a-served', at(0));
        const documents = await reopen();
        await documents.add(aDocument({ ownerId: 'a-served', receivedAt: at(-9) }));
        await documents.add(aDocument({ ownerId: 'b-new' }));
        expect((await documents.nextClaimable(at(10)))?.ownerId).to.equal('b-new');
      });
    });
  });
};

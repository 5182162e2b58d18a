import type { Document, DocumentRepository, Instant, ProcessingDocument } from '@palimpsest/core';
import { expect } from 'chai';
import { sampleId } from '../kit/samples.ts';
import { aCompletedDocument, aDocument, aProcessingDocument } from './samples.ts';

/** The document as claimed at `now` by a worker, with a lease of 30 seconds or until `expiresAt`. */
export const claimed = (
  document: Document,
  now: Instant,
  expiresAt: Instant = now + 30_000_000,
): ProcessingDocument => {
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

/** Claims the next document and returns it as it was before. */
export const claimNext = async (documents: DocumentRepository, now: Instant): Promise<Document | undefined> => {
  const next = await documents.nextClaimable(now);
  if (next !== undefined) expect(await documents.replace(claimed(next, now))).to.equal(true);
  return next;
};

/** Claims all documents one after the other and returns their owners. */
export const ownersServed = async (documents: DocumentRepository, now: Instant): Promise<readonly string[]> => {
  const owners: string[] = [];
  for (let next = await claimNext(documents, now); next !== undefined; next = await claimNext(documents, now)) {
    owners.push(next.ownerId);
    expect(owners.length, 'number of claims').to.be.below(100);
  }
  return owners;
};

/** Claims a document of the owner at `now` and completes it at once. */
export const serve = async (documents: DocumentRepository, ownerId: string, now: Instant): Promise<void> => {
  const document = aDocument({ ownerId });
  await documents.add(document);
  const held = claimed(document, now);
  expect(await documents.replace(held)).to.equal(true);
  expect(await documents.replace(aCompletedDocument({ id: held.id, ownerId, version: held.version + 1 }))).to.equal(
    true,
  );
};

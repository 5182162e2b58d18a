import { acceptDocument, type QueuedDocument } from '@palimpsest/core';

/** A document that has been queued since the moment 1,000. */
export const aQueuedDocument = (given: { id: string; ownerId?: string; receivedAt?: number }): QueuedDocument =>
  acceptDocument({
    ownerId: 'owner',
    title: 'A title',
    originalFilename: 'a.pdf',
    mediaType: 'application/pdf',
    byteSize: 1,
    sha256: '0'.repeat(64),
    blobKey: `documents/${given.id}`,
    receivedAt: 1_000,
    ...given,
  });

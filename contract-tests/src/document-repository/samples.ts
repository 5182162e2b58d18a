import type {
  CompletedDocument,
  DeletingDocument,
  DocumentFields,
  FailedDocument,
  ProcessingDocument,
  QueuedDocument,
} from '@palimpsest/core';
import { at, sampleId } from '../kit/samples.ts';

const fields = (given: Partial<DocumentFields>): DocumentFields => {
  const id = given.id ?? sampleId();
  return {
    id,
    ownerId: 'owner-1',
    title: 'A letter',
    originalFilename: 'letter.pdf',
    mediaType: 'application/pdf',
    byteSize: 26_214_400,
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    blobKey: `documents/${id}`,
    receivedAt: at(0),
    attempts: 0,
    retries: 0,
    pageTries: {},
    version: 1,
    ...given,
  };
};

/** A queued document that is due at once. State only the fields that matter. */
export const aDocument = (given: Partial<Omit<QueuedDocument, 'status'>> = {}): QueuedDocument => ({
  ...fields(given),
  notBefore: given.receivedAt ?? at(0),
  ...given,
  status: 'queued',
});

/** A document with a lease until `at(30)`. */
export const aProcessingDocument = (given: Partial<Omit<ProcessingDocument, 'status'>> = {}): ProcessingDocument => {
  const token = given.run ?? sampleId();
  return {
    ...fields(given),
    attempts: 1,
    run: token,
    lease: { token, claimedAt: at(0), expiresAt: at(30) },
    pagesDone: 0,
    ...given,
    status: 'processing',
  };
};

/** A completed document. */
export const aCompletedDocument = (given: Partial<Omit<CompletedDocument, 'status'>> = {}): CompletedDocument => ({
  ...fields(given),
  attempts: 1,
  run: sampleId(),
  processedAt: at(20),
  ocr: { engine: 'tesseract', language: 'eng+deu', pageCount: 3 },
  ...given,
  status: 'completed',
});

/** A failed document. */
export const aFailedDocument = (given: Partial<Omit<FailedDocument, 'status'>> = {}): FailedDocument => ({
  ...fields(given),
  attempts: 5,
  processedAt: at(20),
  errorMessage: 'The file is damaged.',
  ...given,
  status: 'failed',
});

/** A deleted document with `purgeAfter` `at(0)`. */
export const aDeletingDocument = (given: Partial<Omit<DeletingDocument, 'status'>> = {}): DeletingDocument => ({
  ...fields(given),
  purgeAfter: at(0),
  ...given,
  status: 'deleting',
});

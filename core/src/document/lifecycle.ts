import { AppError, isAppError } from '../errors.ts';
import { plusMs, type Instant } from '../units.ts';
import type {
  CompletedDocument,
  DeletingDocument,
  Document,
  DocumentFields,
  FailedDocument,
  OcrResult,
  ProcessingDocument,
  QueuedDocument,
  VisibleDocument,
} from './document.ts';

/** The rules for the lease and the retries of a document. */
export interface WorkRules {
  readonly leaseMs: number; // how long a lease lasts without a heartbeat
  readonly maxAttempts: number; // attempts in total
  readonly maxPageTries: number; // how often a page may exceed its limits before the document fails
}

export const defaultWorkRules: WorkRules = { leaseMs: 30_000, maxAttempts: 5, maxPageTries: 2 };

export const INTERRUPTED_MESSAGE =
  'The service stopped unexpectedly several times while it read this document, so it does not try again. The file may be damaged. Save it again with another program and upload the new file.';

/** The fields that the next version of a document keeps. */
const fieldsOf = (document: Document): DocumentFields => ({
  id: document.id,
  ownerId: document.ownerId,
  title: document.title,
  originalFilename: document.originalFilename,
  mediaType: document.mediaType,
  byteSize: document.byteSize,
  sha256: document.sha256,
  blobKey: document.blobKey,
  receivedAt: document.receivedAt,
  attempts: document.attempts,
  retries: document.retries,
  pageTries: document.pageTries,
  ...(document.run === undefined ? {} : { run: document.run }),
  version: document.version + 1,
});

const refuse = (document: Document, to: string): never => {
  throw new AppError('ILLEGAL_TRANSITION', `A document that is ${document.status} cannot become ${to}.`);
};

/** A new document. It is due from the moment when it was received. */
export const acceptDocument = (
  fields: Omit<DocumentFields, 'attempts' | 'retries' | 'pageTries' | 'run' | 'version'>,
): QueuedDocument => ({
  ...fields,
  status: 'queued',
  notBefore: fields.receivedAt,
  attempts: 0,
  retries: 0,
  pageTries: {},
  version: 1,
});

/** Whether a worker may claim the document at `now`: it is queued and due, or its lease has expired. */
export const isClaimable = (document: Document, now: Instant): boolean =>
  (document.status === 'queued' && document.notBefore <= now) ||
  (document.status === 'processing' && document.lease.expiresAt <= now);

/**
 * The document with a new lease, and with this attempt counted. If all allowed attempts were counted before, the
 * document fails instead. Throws `ILLEGAL_TRANSITION` if it is not claimable.
 */
export const claim = (
  document: Document,
  token: string,
  now: Instant,
  rules: WorkRules,
): ProcessingDocument | FailedDocument => {
  if (!isClaimable(document, now)) return refuse(document, 'processing');
  const fields = fieldsOf(document);
  if (document.attempts >= rules.maxAttempts) {
    return { ...fields, status: 'failed', processedAt: now, errorMessage: INTERRUPTED_MESSAGE };
  }
  return {
    ...fields,
    status: 'processing',
    attempts: document.attempts + 1,
    run: token,
    lease: { token, claimedAt: now, expiresAt: plusMs(now, rules.leaseMs) },
    pagesDone: 0,
  };
};

/** The document if the worker with `token` holds its lease at `now`, otherwise throws `LEASE_LOST`. */
export const requireLease = (document: Document | undefined, token: string, now: Instant): ProcessingDocument => {
  if (document?.status === 'processing' && document.lease.token === token && document.lease.expiresAt > now) {
    return document;
  }
  throw new AppError('LEASE_LOST', 'The lease of this document has expired, or the document was deleted.');
};

/** The document after a heartbeat: the lease lasts `leaseMs` from `now`, and the document has the new `progress`. */
export const renew = (
  document: ProcessingDocument,
  now: Instant,
  rules: WorkRules,
  progress: { readonly pagesDone?: number; readonly pagesTotal?: number } = {},
): ProcessingDocument => ({
  ...document,
  ...progress,
  lease: { ...document.lease, expiresAt: plusMs(now, rules.leaseMs) },
  version: document.version + 1,
});

/** The document after its recognition. Throws `ILLEGAL_TRANSITION` from any status except `processing`. */
export const complete = (document: Document, ocr: OcrResult, now: Instant): CompletedDocument => {
  if (document.status !== 'processing') return refuse(document, 'completed');
  if (ocr.pageCount < 1) throw new TypeError('A document is completed with at least one page');
  return { ...fieldsOf(document), retries: 0, run: document.run, status: 'completed', processedAt: now, ocr };
};

/** The document after a permanent failure. Throws `ILLEGAL_TRANSITION` from any status except `processing`. */
export const fail = (document: Document, errorMessage: string, now: Instant): FailedDocument => {
  if (document.status !== 'processing') return refuse(document, 'failed');
  return { ...fieldsOf(document), status: 'failed', processedAt: now, errorMessage };
};

/** A failed document back in the queue, with all attempts available again. Throws `DOCUMENT_NOT_FAILED`. */
export const reprocess = (document: Document, now: Instant): QueuedDocument => {
  if (document.status !== 'failed') {
    throw new AppError('DOCUMENT_NOT_FAILED', 'Only a document whose processing failed can be processed again.');
  }
  return { ...fieldsOf(document), attempts: 0, retries: 0, pageTries: {}, status: 'queued', notBefore: now };
};

/** The class of a fault. It decides whether the document is retried (see {@link afterFault}). */
export type FaultClass = 'permanent' | 'over-limit' | 'infrastructure' | 'crash';

/** A fault during the work on a document, with the number of the page if it happened on one. */
export interface WorkFault {
  readonly class: FaultClass;
  readonly message: string; // for the owner
  readonly pageNumber?: number;
}

/** The fault class of an error. An unknown error is a `crash`, because crashes count attempts and their retries end. */
export const faultClass = (error: unknown): FaultClass => {
  if (
    isAppError(
      error,
      'SOURCE_MISSING',
      'SOURCE_CHANGED',
      'DOCUMENT_DAMAGED',
      'DOCUMENT_ENCRYPTED',
      'DOCUMENT_WITHOUT_PAGES',
      'TOO_MANY_PAGES',
      'TOO_MUCH_TEXT',
      'PAGE_TOO_LARGE',
    )
  ) {
    return 'permanent';
  }
  if (isAppError(error, 'PAGE_TIMED_OUT', 'PAGE_OUT_OF_MEMORY', 'DOCUMENT_TIMED_OUT')) return 'over-limit';
  return isAppError(error, 'SERVICE_UNAVAILABLE') ? 'infrastructure' : 'crash';
};

const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 300_000;

/** Exponential back-off: 5, 10, 20, … s up to 5 min. `retries` is the number of earlier retries, from 0. */
export const backOffMs = (retries: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.min(retries, 20), LAST_RETRY_MS);

/**
 * The document after a fault. Permanent: it fails at once. Page over a limit: one retry. Infrastructure failure: back
 * in the queue with back-off, and the attempt is not counted. Crash: back in the queue with back-off, until all
 * attempts are used.
 */
export const afterFault = (
  document: ProcessingDocument,
  fault: WorkFault,
  now: Instant,
  rules: WorkRules,
): QueuedDocument | FailedDocument => {
  const fields = fieldsOf(document);
  const requeue = (change: Partial<DocumentFields>, delayMs: number): QueuedDocument => ({
    ...fields,
    ...change,
    status: 'queued',
    notBefore: plusMs(now, delayMs),
  });
  switch (fault.class) {
    case 'permanent':
      return fail(document, fault.message, now);
    case 'over-limit': {
      const key = String(fault.pageNumber ?? 0);
      const tries = (document.pageTries[key] ?? 0) + 1;
      const pageTries = { ...document.pageTries, [key]: tries };
      return tries >= rules.maxPageTries || document.attempts >= rules.maxAttempts
        ? { ...fail(document, fault.message, now), pageTries }
        : requeue({ pageTries }, 0);
    }
    case 'infrastructure':
      return requeue({ attempts: document.attempts - 1, retries: document.retries + 1 }, backOffMs(document.retries));
    case 'crash':
      return document.attempts >= rules.maxAttempts
        ? fail(document, fault.message, now)
        : requeue({}, backOffMs(document.attempts - 1));
  }
};

/** The document after a worker that shuts down has released it: due at once, and the attempt is not counted. */
export const release = (document: ProcessingDocument, now: Instant): QueuedDocument => ({
  ...fieldsOf(document),
  attempts: document.attempts - 1,
  status: 'queued',
  notBefore: now,
});

/** The document after its owner deleted it, from any status. */
export const markDeleted = (document: VisibleDocument, now: Instant): DeletingDocument => ({
  ...fieldsOf(document),
  status: 'deleting',
  purgeAfter: document.status === 'processing' ? document.lease.expiresAt : now,
});

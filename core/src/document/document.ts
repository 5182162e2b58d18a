import type { Instant } from '../units.ts';
import type { MediaType } from './media-type.ts';

/** What a document has in every status. */
export interface DocumentFields {
  readonly id: string;
  readonly ownerId: string;
  readonly title: string;
  readonly originalFilename: string;
  readonly mediaType: MediaType;
  readonly byteSize: number;
  readonly sha256: string;
  readonly blobKey: string;
  readonly receivedAt: Instant;
  readonly attempts: number; // work begun so far, counted at the start of each
  readonly retries: number; // in a row put off because the ground was missing; no attempts
  readonly pageTries: Readonly<Record<string, number>>; // by page number: times a page passed its limits
  readonly run?: string; // under which the document's pages are stored; that of the newest claim
  readonly version: number; // from 1, one higher at each change
}

/** One worker's hold on a document. Only the holder of the token may change the document, and only while it lasts. */
export interface Lease {
  readonly token: string;
  readonly claimedAt: Instant;
  readonly expiresAt: Instant;
}

export interface QueuedDocument extends DocumentFields {
  readonly status: 'queued';
  readonly notBefore: Instant;
}

export interface ProcessingDocument extends DocumentFields {
  readonly status: 'processing';
  readonly run: string;
  readonly lease: Lease;
  readonly pagesDone: number;
  readonly pagesTotal?: number; // once the file has been opened
}

/** The original reading, which never changes. Its text lies with the pages of the run. */
export interface OcrResult {
  readonly engine: string;
  readonly language: string;
  readonly pageCount: number; // > 0
}

export interface CompletedDocument extends DocumentFields {
  readonly status: 'completed';
  readonly run: string;
  readonly processedAt: Instant;
  readonly ocr: OcrResult;
}

export interface FailedDocument extends DocumentFields {
  readonly status: 'failed';
  readonly processedAt: Instant;
  readonly errorMessage: string; // a sentence for the owner
}

/** Deleted by its owner, seen by nobody; `purgeAfter` is when no worker can hold it any more. */
export interface DeletingDocument extends DocumentFields {
  readonly status: 'deleting';
  readonly purgeAfter: Instant;
}

export type VisibleDocument = QueuedDocument | ProcessingDocument | CompletedDocument | FailedDocument;
export type Document = VisibleDocument | DeletingDocument;
export type DocumentStatus = Document['status'];

/** When processing ended, `undefined` before that. */
export const processedAtOf = (document: Document): Instant | undefined =>
  document.status === 'completed' || document.status === 'failed' ? document.processedAt : undefined;

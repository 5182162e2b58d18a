import type { Instant } from '../units.ts';
import type { MediaType } from './media-type.ts';

/** The fields of a document in every status. */
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
  readonly attempts: number; // attempts so far, counted at the start of each
  readonly retries: number; // successive retries after infrastructure failures; these are not attempts
  readonly pageTries: Readonly<Record<string, number>>; // by page number: how often a page exceeded its limits
  readonly run?: string; // the run of the newest claim; the pages of the document belong to it
  readonly version: number; // from 1, one higher with each change
}

/**
 * A worker's lease on a document. Only the worker with the token may change the document, and only until the lease
 * expires.
 */
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

/** The recognized text, which never changes. The text itself is stored with the pages of the run. */
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

/** A document that its owner deleted. It is invisible to all users. After `purgeAfter` no worker can hold its lease. */
export interface DeletingDocument extends DocumentFields {
  readonly status: 'deleting';
  readonly purgeAfter: Instant;
}

export type VisibleDocument = QueuedDocument | ProcessingDocument | CompletedDocument | FailedDocument;
export type Document = VisibleDocument | DeletingDocument;
export type DocumentStatus = Document['status'];

/** When the processing ended; `undefined` before that. */
export const processedAtOf = (document: Document): Instant | undefined =>
  document.status === 'completed' || document.status === 'failed' ? document.processedAt : undefined;

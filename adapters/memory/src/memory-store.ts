import type {
  Account,
  Document,
  Instant,
  JobPayload,
  RecognizedPage,
  Revision,
  Session,
} from '@palimpsest/core';

/** A blob as it lies in memory. */
export interface StoredBlob {
  readonly bytes: Uint8Array;
  readonly storedAt: Instant;
}

/** A job that waits or runs. It is in the store until it is done. */
export interface StoredJob {
  readonly kind: string;
  readonly payload: JobPayload;
  notBefore: Instant;
  running: boolean;
}

/**
 * What the repositories over it share. Several handles on one store see the same data, as processes on one database do.
 * It holds copies only: nothing that was given or is given out.
 */
export class MemoryStore {
  readonly documents = new Map<string, Document>();
  /** When an owner was last served: the higher, the later. */
  readonly served = new Map<string, number>();
  readonly pages = new Map<string, Map<string, Map<number, RecognizedPage>>>(); // by document, run, number
  readonly revisions = new Map<string, readonly Revision[]>(); // oldest first
  readonly accounts = new Map<string, Account>();
  readonly sessions = new Map<string, Session>();
  readonly blobs = new Map<string, StoredBlob>();
  readonly jobs = new Set<StoredJob>(); // in the order in which they were added
  /** Called when a job was added or came back. */
  readonly jobListeners = new Set<() => void>();
}

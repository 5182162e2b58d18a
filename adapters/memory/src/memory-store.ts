import { randomBytes } from 'node:crypto';
import type {
  Account,
  AccountToken,
  CountedWindow,
  Document,
  Instant,
  JobPayload,
  KeyedRequest,
  MailRecord,
  RecognizedPage,
  Revision,
  SearchEntry,
  Session,
} from '@palimpsest/core';

/** A blob as it lies in memory. */
export interface StoredBlob {
  readonly bytes: Uint8Array;
  readonly storedAt: Instant;
}

/** A refresh token that was replaced by another. */
export interface UsedRefreshToken {
  readonly sessionId: string;
  readonly usedAt: Instant;
  readonly expiresAt: Instant; // of the session when the token was used up
}

/** A job that waits or runs. It is in the store until it is done. */
export interface StoredJob {
  readonly kind: string;
  readonly payload: JobPayload;
  readonly isRecurring: boolean;
  notBefore: Instant;
  running: boolean;
}

/** A mailed token as it lies in memory. */
export interface StoredAccountToken {
  token: AccountToken;
  spent: boolean;
}

/** A keyed request as it lies in memory. */
export interface StoredKey {
  readonly request: KeyedRequest;
  answer: string | undefined; // `undefined`: the key is held
}

/** What can be searched of a document as it lies in memory: its tokens. */
export interface StoredSearchEntry extends Omit<SearchEntry, 'title' | 'filename' | 'text'> {
  readonly title: readonly string[];
  readonly filename: readonly string[];
  readonly text: readonly string[];
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
  readonly closedAccounts = new Map<string, Instant>(); // when, by id
  readonly sessions = new Map<string, Session>();
  readonly usedRefreshTokens = new Map<string, UsedRefreshToken>(); // by digest
  /** What the derived secrets of a service come from. */
  readonly tokenKey: Uint8Array = randomBytes(32);
  readonly accountTokens = new Map<string, StoredAccountToken>(); // by account and purpose
  readonly mails = new Map<string, MailRecord>();
  readonly keys = new Map<string, StoredKey>(); // by account and key
  readonly blobs = new Map<string, StoredBlob>();
  readonly jobs = new Set<StoredJob>(); // in the order in which they were added
  /** Called when a job was added or came back. */
  readonly jobListeners = new Set<() => void>();
  readonly searchEntries = new Map<string, StoredSearchEntry>(); // by document
  readonly rateWindows = new Map<string, CountedWindow>();
}

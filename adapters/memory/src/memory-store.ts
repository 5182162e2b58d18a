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

/** A stored blob. */
export interface StoredBlob {
  readonly bytes: Uint8Array;
  readonly storedAt: Instant;
}

/** A used refresh token, replaced by another one. */
export interface UsedRefreshToken {
  readonly sessionId: string;
  readonly usedAt: Instant;
  readonly expiresAt: Instant; // expiry of the session when the token was used
}

/** A job that waits or runs. It stays in the store until it is done. */
export interface StoredJob {
  readonly kind: string;
  readonly payload: JobPayload;
  readonly isRecurring: boolean;
  notBefore: Instant;
  running: boolean;
}

/** A mailed token. */
export interface StoredAccountToken {
  token: AccountToken;
  spent: boolean;
}

/** A request with an idempotency key. */
export interface StoredKey {
  readonly request: KeyedRequest;
  answer: string | undefined; // `undefined` while the request runs
}

/** A search entry with tokens instead of texts. */
export interface StoredSearchEntry extends Omit<SearchEntry, 'title' | 'filename' | 'text'> {
  readonly title: readonly string[];
  readonly filename: readonly string[];
  readonly text: readonly string[];
}

/**
 * The data of the memory adapters. Several adapters on one store see the same data, as several processes on one
 * database do. Adapters store copies and return copies.
 */
export class MemoryStore {
  readonly documents = new Map<string, Document>();
  /** For each owner that was served: a number. Of two owners, the one with the higher number was served later. */
  readonly served = new Map<string, number>();
  readonly pages = new Map<string, Map<string, Map<number, RecognizedPage>>>(); // by document, run, number
  readonly revisions = new Map<string, readonly Revision[]>(); // oldest first
  readonly accounts = new Map<string, Account>();
  readonly closedAccounts = new Map<string, Instant>(); // time of closing, by id
  readonly sessions = new Map<string, Session>();
  readonly usedRefreshTokens = new Map<string, UsedRefreshToken>(); // by digest
  /** The key of derived secrets. */
  readonly tokenKey: Uint8Array = randomBytes(32);
  readonly accountTokens = new Map<string, StoredAccountToken>(); // by account and purpose
  readonly mails = new Map<string, MailRecord>();
  readonly keys = new Map<string, StoredKey>(); // by account and key
  readonly blobs = new Map<string, StoredBlob>();
  readonly jobs = new Set<StoredJob>(); // in the order in which they were added
  /** Called when a job was added or its run has ended. */
  readonly jobListeners = new Set<() => void>();
  readonly searchEntries = new Map<string, StoredSearchEntry>(); // by document
  readonly rateWindows = new Map<string, CountedWindow>();
}

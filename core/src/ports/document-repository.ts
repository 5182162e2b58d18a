import type { Document } from '../document/document.ts';
import type { Page, PageRequest } from '../document/paging.ts';
import type { Instant } from '../units.ts';

/**
 * Keeps document records: small, without texts. A record is found by `find`, `list` and the rest from the moment that
 * the call which stored it resolves, in every process on the same store.
 */
export interface DocumentRepository {
  /** Stores a new document, durably before it resolves. A taken id is a `TypeError`. */
  add(document: Document): Promise<void>;
  /** The document with this id, whoever owns it; `undefined` if there is none. Any string may be asked for. */
  find(id: string): Promise<Document | undefined>;
  /**
   * The owner's documents that are not `deleting`: `receivedAt` descending, then `id` descending; `total` counts all of
   * them. The time it takes does not depend on how many documents others have.
   */
  list(ownerId: string, page: PageRequest): Promise<Page<Document>>;
  /**
   * Stores `next` if the stored version is `next.version - 1`, atomically and durably. `false`, and nothing is changed,
   * if the version is another one or the document is gone.
   */
  replace(next: Document): Promise<boolean>;
  /**
   * The document to be worked on next, `undefined` if there is none: `queued` with `notBefore <= now`, or `processing`
   * with a lease that expired (`lease.expiresAt <= now`). Fair over owners: first of the owner with the fewest unexpired
   * `processing` documents, among those of the owner who was served longest ago (never served comes first), within one
   * owner the earliest `receivedAt`, then the lowest `id`. An owner is served when one of their documents goes to
   * `processing` by `replace`. It claims nothing; claiming is a `replace` that one caller wins.
   */
  nextClaimable(now: Instant): Promise<Document | undefined>;
  /** How many documents `nextClaimable` could give one after the other at `now`. */
  countClaimable(now: Instant): Promise<number>;
  /** Up to `limit` documents in status `deleting` with `purgeAfter <= now`. */
  findPurgeable(now: Instant, limit: number): Promise<readonly Document[]>;
  /** Up to `limit` documents in any status with ids higher than `after` (`undefined`: from the first), by id, ascending. */
  scan(after: string | undefined, limit: number): Promise<readonly Document[]>;
  /** Which of these blob keys a stored document refers to. */
  referencedBlobs(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes the record. Removing what is gone succeeds. */
  remove(id: string): Promise<void>;
  /** Resolves if the store answers; otherwise throws. */
  check(): Promise<void>;
}

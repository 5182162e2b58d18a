import type { Document } from '../document/document.ts';
import type { Page, PageRequest } from '../document/paging.ts';
import type { Instant } from '../units.ts';

/**
 * Stores document records. They are small: texts are stored elsewhere. After a call that stores a record resolves,
 * every later call sees it, in every process on the same store.
 */
export interface DocumentRepository {
  /** Stores a new document, durably before it resolves. An id that is taken is a `TypeError`. */
  add(document: Document): Promise<void>;
  /** The document with this id, of any owner; `undefined` if it does not exist. Any string is allowed. */
  find(id: string): Promise<Document | undefined>;
  /**
   * The owner's documents that are not `deleting`, by `receivedAt` descending, then `id` descending; `total` is the
   * number of all of them. The time does not depend on how many documents other owners have.
   */
  list(ownerId: string, page: PageRequest): Promise<Page<Document>>;
  /**
   * Stores `next`, atomically and durably, if the stored version is `next.version - 1`. Returns `false` and changes
   * nothing if another version is stored or the document does not exist.
   */
  replace(next: Document): Promise<boolean>;
  /**
   * The document to work on next, `undefined` if none is due. A document is due if it is `queued` with `notBefore <=
   * now`, or `processing` with an expired lease (`lease.expiresAt <= now`). The choice is fair to the owners. First
   * comes the owner with the fewest `processing` documents whose lease has not expired; among equals, the owner that
   * was served longest ago (an owner that was never served comes first). Of one owner, the document with the earliest
   * `receivedAt` comes first, then the one with the lowest `id`. An owner is served when `replace` sets one of their
   * documents to `processing`. This call does not claim the document; claiming is a `replace`, and only one caller
   * succeeds.
   */
  nextClaimable(now: Instant): Promise<Document | undefined>;
  /** Up to `limit` documents in status `deleting` with `purgeAfter <= now`. */
  findPurgeable(now: Instant, limit: number): Promise<readonly Document[]>;
  /**
   * Up to `limit` documents in any status with ids higher than `after` (`undefined`: from the first), by id, ascending.
   */
  scan(after: string | undefined, limit: number): Promise<readonly Document[]>;
  /** The subset of `keys` to which a stored document refers. */
  referencedBlobs(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes the record. Removing a record that does not exist succeeds. */
  remove(id: string): Promise<void>;
  /** Health check: resolves if the store answers, otherwise throws. */
  check(): Promise<void>;
}

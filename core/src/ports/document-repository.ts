import type { Document } from '../document/document.ts';
import type { Page, PageRequest } from '../document/paging.ts';
import type { Instant } from '../units.ts';

/**
 * Stores document records: small, without texts. After a call that stores a record resolves, every later call sees it,
 * in every process on the same store.
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
   * Stores `next`, atomically and durably, if the stored version is `next.version - 1`. `false`, and nothing changes,
   * if it is another version or the document does not exist.
   */
  replace(next: Document): Promise<boolean>;
  /**
   * The document to work on next, `undefined` if none is due. Due are `queued` documents with `notBefore <= now`, and
   * `processing` documents with an expired lease (`lease.expiresAt <= now`). Fair over owners: first the owner with the
   * fewest unexpired `processing` documents; among equals the owner who was served longest ago (an owner who was never
   * served comes first); of one owner the earliest `receivedAt`, then the lowest `id`. An owner is served when
   * `replace` sets one of their documents to `processing`. This call does not claim the document; claiming is a
   * `replace`, and only one caller succeeds.
   */
  nextClaimable(now: Instant): Promise<Document | undefined>;
  /** Up to `limit` documents in status `deleting` with `purgeAfter <= now`. */
  findPurgeable(now: Instant, limit: number): Promise<readonly Document[]>;
  /**
   * Up to `limit` documents in any status with ids higher than `after` (`undefined`: from the first), by id, ascending.
   */
  scan(after: string | undefined, limit: number): Promise<readonly Document[]>;
  /** Those of the given blob keys that a stored document refers to. */
  referencedBlobs(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes the record. Removing a record that does not exist succeeds. */
  remove(id: string): Promise<void>;
  /** Resolves if the store answers, otherwise throws. */
  check(): Promise<void>;
}

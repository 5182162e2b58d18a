import {
  isClaimable,
  type Document,
  type DocumentRepository,
  type Instant,
  type Page,
  type PageRequest,
} from '@palimpsest/core';
import type { MemoryStore } from './memory-store.ts';

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** Document records in memory. Each call reads or changes the store synchronously, which makes it atomic. */
export class MemoryDocumentRepository implements DocumentRepository {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async add(document: Document): Promise<void> {
    if (this.#store.documents.has(document.id)) throw new TypeError('A document with this id is stored already');
    this.#store.documents.set(document.id, structuredClone(document));
  }

  async find(id: string): Promise<Document | undefined> {
    return structuredClone(this.#store.documents.get(id));
  }

  async list(ownerId: string, { limit, offset }: PageRequest): Promise<Page<Document>> {
    const documents = this.#all()
      .filter((document) => document.ownerId === ownerId && document.status !== 'deleting')
      .sort((a, b) => compare(b.receivedAt, a.receivedAt) || compare(b.id, a.id));
    return { items: structuredClone(documents.slice(offset, offset + limit)), total: documents.length };
  }

  async replace(next: Document): Promise<boolean> {
    const stored = this.#store.documents.get(next.id);
    if (stored === undefined || stored.version !== next.version - 1) return false;
    this.#store.documents.set(next.id, structuredClone(next));
    // A new token means a claim, which serves the owner. A heartbeat keeps the token.
    const heldToken = stored.status === 'processing' ? stored.lease.token : undefined;
    if (next.status === 'processing' && next.lease.token !== heldToken) {
      const latest = Math.max(0, ...this.#store.served.values());
      this.#store.served.set(next.ownerId, latest + 1);
    }
    return true;
  }

  async nextClaimable(now: Instant): Promise<Document | undefined> {
    const processing = new Map<string, number>();
    for (const document of this.#all()) {
      if (document.status === 'processing' && document.lease.expiresAt > now) {
        processing.set(document.ownerId, (processing.get(document.ownerId) ?? 0) + 1);
      }
    }
    const [next] = this.#claimable(now).sort(
      (a, b) =>
        compare(processing.get(a.ownerId) ?? 0, processing.get(b.ownerId) ?? 0) ||
        compare(this.#store.served.get(a.ownerId) ?? 0, this.#store.served.get(b.ownerId) ?? 0) ||
        compare(a.ownerId, b.ownerId) ||
        compare(a.receivedAt, b.receivedAt) ||
        compare(a.id, b.id),
    );
    return structuredClone(next);
  }

  async findPurgeable(now: Instant, limit: number): Promise<readonly Document[]> {
    const due = this.#all().filter((document) => document.status === 'deleting' && document.purgeAfter <= now);
    return structuredClone(due.slice(0, limit));
  }

  async scan(after: string | undefined, limit: number): Promise<readonly Document[]> {
    const rest = this.#all().filter(({ id }) => after === undefined || id > after);
    return structuredClone(rest.sort((a, b) => compare(a.id, b.id)).slice(0, limit));
  }

  async referencedBlobs(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const used = new Set(this.#all().map(({ blobKey }) => blobKey));
    return new Set(keys.filter((key) => used.has(key)));
  }

  async remove(id: string): Promise<void> {
    this.#store.documents.delete(id);
  }

  async check(): Promise<void> {}

  #all(): Document[] {
    return [...this.#store.documents.values()];
  }

  #claimable(now: Instant): Document[] {
    return this.#all().filter((document) => isClaimable(document, now));
  }
}

import { revisionConflict, type Revision, type RevisionRepository } from '@palimpsest/core';
import type { MemoryStore } from './memory-store.ts';

/** Revisions in memory. */
export class MemoryRevisionRepository implements RevisionRepository {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async append(documentId: string, revision: Omit<Revision, 'number'>, expectedNewest?: number): Promise<Revision> {
    const stored = this.#store.revisions.get(documentId) ?? [];
    if (expectedNewest !== undefined && expectedNewest !== stored.length) throw revisionConflict();
    const next: Revision = { number: stored.length + 1, revisedAt: revision.revisedAt, text: revision.text };
    this.#store.revisions.set(documentId, [...stored, next]);
    return { ...next };
  }

  async newest(documentId: string): Promise<Revision | undefined> {
    return structuredClone(this.#store.revisions.get(documentId)?.at(-1));
  }

  async find(documentId: string, number: number): Promise<Revision | undefined> {
    return structuredClone(this.#store.revisions.get(documentId)?.find((revision) => revision.number === number));
  }

  async list(documentId: string): Promise<readonly Revision[]> {
    return structuredClone((this.#store.revisions.get(documentId) ?? []).toReversed());
  }

  async removeAll(documentId: string): Promise<void> {
    this.#store.revisions.delete(documentId);
  }
}

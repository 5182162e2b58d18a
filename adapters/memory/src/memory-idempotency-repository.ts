import type { IdempotencyRepository, Instant, KeyedRequest, KeyState } from '@palimpsest/core';
import type { MemoryStore, StoredKey } from './memory-store.ts';

const idOf = (accountId: string, key: string): string => JSON.stringify([accountId, key]);

/** Requests with idempotency keys, in memory. */
export class MemoryIdempotencyRepository implements IdempotencyRepository {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async begin(request: KeyedRequest, now: Instant): Promise<KeyState> {
    const id = idOf(request.accountId, request.key);
    const stored = this.#store.keys.get(id);
    if (stored === undefined || stored.request.expiresAt <= now) return this.#hold(id, { ...request });
    const { request: first, answer } = stored;
    if (first.fingerprint !== request.fingerprint) return { kind: 'other' };
    if (answer !== undefined) return { kind: 'answered', answer };
    if (first.heldUntil > now) return { kind: 'held', until: first.heldUntil };
    return this.#hold(id, { ...request, resourceId: first.resourceId });
  }

  async answer(accountId: string, key: string, answer: string): Promise<void> {
    const stored = this.#held(accountId, key);
    if (stored !== undefined) stored.answer = answer;
  }

  async release(accountId: string, key: string): Promise<void> {
    if (this.#held(accountId, key) !== undefined) this.#store.keys.delete(idOf(accountId, key));
  }

  async removeAllOf(accountId: string): Promise<void> {
    this.#removeWhere((request) => request.accountId === accountId);
  }

  async removeExpired(now: Instant): Promise<number> {
    return this.#removeWhere((request) => request.expiresAt <= now);
  }

  #hold(id: string, request: KeyedRequest): KeyState {
    this.#store.keys.set(id, { request, answer: undefined });
    return { kind: 'begun', resourceId: request.resourceId };
  }

  #held(accountId: string, key: string): StoredKey | undefined {
    const stored = this.#store.keys.get(idOf(accountId, key));
    return stored?.answer === undefined ? stored : undefined;
  }

  #removeWhere(isRemoved: (request: KeyedRequest) => boolean): number {
    const removed = [...this.#store.keys].filter(([, { request }]) => isRemoved(request));
    for (const [id] of removed) this.#store.keys.delete(id);
    return removed.length;
  }
}

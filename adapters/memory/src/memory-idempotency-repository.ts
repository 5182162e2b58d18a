import type { IdempotencyRepository, Instant, KeyedRequest, KeyState } from '@palimpsest/core';
import type { MemoryStore, StoredKey } from './memory-store.ts';

const placeOf = (accountId: string, key: string): string => JSON.stringify([accountId, key]);

/** Keyed requests in memory. */
export class MemoryIdempotencyRepository implements IdempotencyRepository {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async begin(request: KeyedRequest, now: Instant): Promise<KeyState> {
    const place = placeOf(request.accountId, request.key);
    const stored = this.#store.keys.get(place);
    if (stored === undefined || stored.request.expiresAt <= now) return this.#hold(place, { ...request });
    const { request: first, answer } = stored;
    if (first.fingerprint !== request.fingerprint) return { kind: 'other' };
    if (answer !== undefined) return { kind: 'answered', answer };
    if (first.heldUntil > now) return { kind: 'held', until: first.heldUntil };
    return this.#hold(place, { ...request, resourceId: first.resourceId });
  }

  async answer(accountId: string, key: string, answer: string): Promise<void> {
    const stored = this.#held(accountId, key);
    if (stored !== undefined) stored.answer = answer;
  }

  async release(accountId: string, key: string): Promise<void> {
    if (this.#held(accountId, key) !== undefined) this.#store.keys.delete(placeOf(accountId, key));
  }

  async removeAllOf(accountId: string): Promise<void> {
    this.#removeWhere((request) => request.accountId === accountId);
  }

  async removeExpired(now: Instant): Promise<number> {
    return this.#removeWhere((request) => request.expiresAt <= now);
  }

  #hold(place: string, request: KeyedRequest): KeyState {
    this.#store.keys.set(place, { request, answer: undefined });
    return { kind: 'begun', resourceId: request.resourceId };
  }

  #held(accountId: string, key: string): StoredKey | undefined {
    const stored = this.#store.keys.get(placeOf(accountId, key));
    return stored?.answer === undefined ? stored : undefined;
  }

  #removeWhere(isOver: (request: KeyedRequest) => boolean): number {
    const over = [...this.#store.keys].filter(([, { request }]) => isOver(request));
    for (const [place] of over) this.#store.keys.delete(place);
    return over.length;
  }
}

import type { AccountToken, AccountTokenRepository, Instant, TokenPurpose } from '@palimpsest/core';
import type { MemoryStore, StoredAccountToken } from './memory-store.ts';

const keyOf = ({ accountId, purpose }: AccountToken): string => JSON.stringify([accountId, purpose]);

/** Mailed tokens in memory. */
export class MemoryAccountTokenRepository implements AccountTokenRepository {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async issue(token: AccountToken): Promise<boolean> {
    const key = keyOf(token);
    const stored = this.#store.accountTokens.get(key);
    if (stored?.token.digest === token.digest) {
      if (stored.spent) return false;
      stored.token = { ...stored.token, expiresAt: token.expiresAt };
      return true;
    }
    if (stored !== undefined && stored.token.requestedAt >= token.requestedAt) return false;
    this.#store.accountTokens.set(key, { token: { ...token }, spent: false });
    return true;
  }

  async find(digest: string, purpose: TokenPurpose): Promise<AccountToken | undefined> {
    return structuredClone(this.#unspent(digest, purpose)?.token);
  }

  async spend(digest: string, purpose: TokenPurpose): Promise<boolean> {
    const stored = this.#unspent(digest, purpose);
    if (stored === undefined) return false;
    stored.spent = true;
    return true;
  }

  async removeAllOf(accountId: string): Promise<void> {
    this.#removeWhere((token) => token.accountId === accountId);
  }

  async removeExpired(moment: Instant): Promise<number> {
    return this.#removeWhere((token) => token.expiresAt <= moment);
  }

  #unspent(digest: string, purpose: TokenPurpose): StoredAccountToken | undefined {
    return this.#store.accountTokens
      .values()
      .find(({ token, spent }) => !spent && token.digest === digest && token.purpose === purpose);
  }

  #removeWhere(isRemoved: (token: AccountToken) => boolean): number {
    const removed = [...this.#store.accountTokens].filter(([, { token }]) => isRemoved(token));
    for (const [key] of removed) this.#store.accountTokens.delete(key);
    return removed.length;
  }
}

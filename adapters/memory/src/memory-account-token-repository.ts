import type { AccountToken, AccountTokenRepository, Instant, TokenPurpose } from '@palimpsest/core';
import type { MemoryStore, StoredAccountToken } from './memory-store.ts';

const placeOf = ({ accountId, purpose }: AccountToken): string => JSON.stringify([accountId, purpose]);

/** Mailed tokens in memory. */
export class MemoryAccountTokenRepository implements AccountTokenRepository {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async issue(token: AccountToken): Promise<boolean> {
    const place = placeOf(token);
    const stored = this.#store.accountTokens.get(place);
    if (stored?.token.digest === token.digest) {
      if (stored.spent) return false;
      stored.token = { ...stored.token, expiresAt: token.expiresAt };
      return true;
    }
    if (stored !== undefined && stored.token.requestedAt >= token.requestedAt) return false;
    this.#store.accountTokens.set(place, { token: { ...token }, spent: false });
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

  #removeWhere(isOver: (token: AccountToken) => boolean): number {
    const over = [...this.#store.accountTokens].filter(([, { token }]) => isOver(token));
    for (const [place] of over) this.#store.accountTokens.delete(place);
    return over.length;
  }
}

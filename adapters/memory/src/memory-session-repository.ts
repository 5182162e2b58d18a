import type { Instant, Rotation, Session, SessionOfToken, SessionRepository } from '@palimpsest/core';
import type { MemoryStore } from './memory-store.ts';

/** Sessions in memory. */
export class MemorySessionRepository implements SessionRepository {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async add(session: Session): Promise<void> {
    if (this.#store.sessions.has(session.id)) throw new TypeError('A session with this id is stored already');
    this.#store.sessions.set(session.id, { ...session });
  }

  async find(id: string): Promise<Session | undefined> {
    return structuredClone(this.#store.sessions.get(id));
  }

  async findByRefreshToken(digest: string): Promise<SessionOfToken | undefined> {
    const current = this.#store.sessions.values().find((session) => session.refreshTokenDigest === digest);
    if (current) return { session: structuredClone(current), usedAt: undefined };
    const used = this.#store.usedRefreshTokens.get(digest);
    const session = used && this.#store.sessions.get(used.sessionId);
    return session && { session: structuredClone(session), usedAt: used.usedAt };
  }

  async rotate(id: string, { from, to, usedAt, expiresAt }: Rotation): Promise<boolean> {
    const session = this.#store.sessions.get(id);
    if (session?.refreshTokenDigest !== from) return false;
    this.#store.usedRefreshTokens.set(from, { sessionId: id, usedAt, expiresAt: session.expiresAt });
    this.#store.sessions.set(id, { ...session, refreshTokenDigest: to, expiresAt });
    return true;
  }

  async remove(id: string): Promise<void> {
    this.#removeWhere((session) => session.id === id);
  }

  async removeAllOf(accountId: string, exceptId?: string): Promise<void> {
    this.#removeWhere((session) => session.accountId === accountId && session.id !== exceptId);
  }

  async removeExpired(now: Instant): Promise<number> {
    for (const [digest, used] of this.#store.usedRefreshTokens) {
      if (used.expiresAt <= now) this.#store.usedRefreshTokens.delete(digest);
    }
    return this.#removeWhere((session) => session.expiresAt <= now);
  }

  #removeWhere(isRemoved: (session: Session) => boolean): number {
    const removed = new Set(
      this.#store.sessions
        .values()
        .filter(isRemoved)
        .map((session) => session.id),
    );
    for (const id of removed) this.#store.sessions.delete(id);
    for (const [digest, used] of this.#store.usedRefreshTokens) {
      if (removed.has(used.sessionId)) this.#store.usedRefreshTokens.delete(digest);
    }
    return removed.size;
  }
}

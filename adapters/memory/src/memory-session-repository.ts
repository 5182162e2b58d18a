import type { Instant, Session, SessionRepository } from '@palimpsest/core';
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

  async remove(id: string): Promise<void> {
    this.#store.sessions.delete(id);
  }

  async removeAllOf(accountId: string): Promise<void> {
    this.#removeWhere((session) => session.accountId === accountId);
  }

  async removeExpired(now: Instant): Promise<number> {
    return this.#removeWhere((session) => session.expiresAt <= now);
  }

  #removeWhere(isOver: (session: Session) => boolean): number {
    const over = [...this.#store.sessions.values()].filter(isOver);
    for (const { id } of over) this.#store.sessions.delete(id);
    return over.length;
  }
}

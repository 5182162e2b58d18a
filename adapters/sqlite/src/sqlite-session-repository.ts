import type { Instant, Session, SessionRepository } from '@palimpsest/core';
import type { Database } from './database.ts';

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly refresh_token_digest: string;
  readonly created_at: number;
  readonly expires_at: number;
}

const sessionOf = (row: Row): Session => ({
  id: row.id,
  accountId: row.account_id,
  refreshTokenDigest: row.refresh_token_digest,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Sign-in sessions in SQLite. */
export class SqliteSessionRepository implements SessionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(session: Session): Promise<void> {
    const stored = await this.#database.write(() =>
      this.#database.run(
        `INSERT INTO sessions (id, account_id, refresh_token_digest, created_at, expires_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO NOTHING`,
        session.id,
        session.accountId,
        session.refreshTokenDigest,
        session.createdAt,
        session.expiresAt,
      ),
    );
    if (stored === 0) throw new TypeError('The session id is taken');
  }

  async find(id: string): Promise<Session | undefined> {
    const row = await this.#database.read(() => this.#database.one<Row>('SELECT * FROM sessions WHERE id = ?', id));
    return row?.id === id ? sessionOf(row) : undefined;
  }

  async remove(id: string): Promise<void> {
    await this.#database.write(() => this.#database.run('DELETE FROM sessions WHERE id = ?', id));
  }

  async removeAllOf(accountId: string): Promise<void> {
    await this.#database.write(() => this.#database.run('DELETE FROM sessions WHERE account_id = ?', accountId));
  }

  removeExpired(now: Instant): Promise<number> {
    return this.#database.write(() => this.#database.run('DELETE FROM sessions WHERE expires_at <= ?', now));
  }
}

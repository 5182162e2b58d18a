import type { Instant, Rotation, Session, SessionOfToken, SessionRepository } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { removeInBatches } from '../remove-in-batches.ts';

/** Enough for a client that refreshes every hour for 30 days, and few enough to be removed with the session. */
const USED_TOKENS_KEPT = 1000;

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly refresh_token_digest: string;
  readonly created_at: number;
  readonly expires_at: number;
}

interface UsedTokenRow extends Row {
  readonly digest: string;
  readonly used_at: number;
}

const sessionOf = (row: Row): Session => ({
  id: row.id,
  accountId: row.account_id,
  refreshTokenDigest: row.refresh_token_digest,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/**
 * Sessions in SQLite. Each look-up compares the found key with the requested one, because SQLite stores U+FFFD for a
 * lone surrogate.
 */
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
    if (stored === 0) throw new TypeError('The session id is already in use');
  }

  async find(id: string): Promise<Session | undefined> {
    const row = await this.#database.read(() => this.#row(id));
    return row && sessionOf(row);
  }

  findByRefreshToken(digest: string): Promise<SessionOfToken | undefined> {
    return this.#database.read(() => {
      const current = this.#database.one<Row>('SELECT * FROM sessions WHERE refresh_token_digest = ?', digest);
      if (current?.refresh_token_digest === digest) return { session: sessionOf(current), usedAt: undefined };
      const used = this.#database.one<UsedTokenRow>(
        `SELECT sessions.*, used.digest, used.used_at FROM used_refresh_tokens AS used
         JOIN sessions ON sessions.id = used.session_id WHERE used.digest = ?`,
        digest,
      );
      return used?.digest === digest ? { session: sessionOf(used), usedAt: used.used_at } : undefined;
    });
  }

  rotate(id: string, { from, to, usedAt, expiresAt }: Rotation): Promise<boolean> {
    return this.#database.write(() => {
      const row = this.#row(id);
      if (row?.refresh_token_digest !== from) return false;
      this.#database.run(
        `INSERT INTO used_refresh_tokens (digest, session_id, used_at, expires_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (digest) DO UPDATE SET session_id = excluded.session_id, used_at = excluded.used_at, expires_at = excluded.expires_at`,
        from,
        id,
        usedAt,
        row.expires_at,
      );
      this.#database.run(
        `DELETE FROM used_refresh_tokens WHERE session_id = ?1 AND used_at <
           (SELECT used_at FROM used_refresh_tokens WHERE session_id = ?1 ORDER BY used_at DESC LIMIT 1 OFFSET ?2)`,
        id,
        USED_TOKENS_KEPT - 1,
      );
      this.#database.run(
        'UPDATE sessions SET refresh_token_digest = ?, expires_at = ? WHERE id = ?',
        to,
        expiresAt,
        id,
      );
      return true;
    });
  }

  async remove(id: string): Promise<void> {
    await this.#database.write(() => this.#database.run('DELETE FROM sessions WHERE id = ?', id));
  }

  async removeAllOf(accountId: string, exceptId?: string): Promise<void> {
    await this.#database.write(() =>
      this.#database.run('DELETE FROM sessions WHERE account_id = ? AND id IS NOT ?', accountId, exceptId ?? null),
    );
  }

  async removeExpired(now: Instant): Promise<number> {
    await removeInBatches(this.#database, { table: 'used_refresh_tokens', condition: 'expires_at <= ?' }, now);
    return removeInBatches(this.#database, { table: 'sessions', condition: 'expires_at <= ?' }, now);
  }

  #row(id: string): Row | undefined {
    const row = this.#database.one<Row>('SELECT * FROM sessions WHERE id = ?', id);
    return row?.id === id ? row : undefined;
  }
}

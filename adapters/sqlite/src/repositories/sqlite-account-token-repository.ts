import type { AccountToken, AccountTokenRepository, Instant, TokenPurpose } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { removeInBatches } from '../remove-in-batches.ts';

interface Row {
  readonly account_id: string;
  readonly digest: string;
  readonly requested_at: number;
  readonly expires_at: number;
}

/** Account tokens in SQLite. */
export class SqliteAccountTokenRepository implements AccountTokenRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async issue(token: AccountToken): Promise<boolean> {
    const changed = await this.#database.write(() =>
      this.#database.run(
        `INSERT INTO account_tokens (account_id, purpose, digest, requested_at, expires_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (account_id, purpose) DO UPDATE SET
           digest = excluded.digest,
           requested_at = CASE digest WHEN excluded.digest THEN requested_at ELSE excluded.requested_at END,
           expires_at = excluded.expires_at,
           spent = 0
         WHERE CASE digest WHEN excluded.digest THEN spent = 0 ELSE requested_at < excluded.requested_at END`,
        token.accountId,
        token.purpose,
        token.digest,
        token.requestedAt,
        token.expiresAt,
      ),
    );
    return changed === 1;
  }

  async find(digest: string, purpose: TokenPurpose): Promise<AccountToken | undefined> {
    const row = await this.#database.read(() =>
      this.#database.one<Row>(
        'SELECT * FROM account_tokens WHERE digest = ? AND purpose = ? AND spent = 0',
        digest,
        purpose,
      ),
    );
    if (row?.digest !== digest) return undefined;
    return { accountId: row.account_id, purpose, digest, requestedAt: row.requested_at, expiresAt: row.expires_at };
  }

  async spend(digest: string, purpose: TokenPurpose): Promise<boolean> {
    const spent = await this.#database.write(() =>
      this.#database.run(
        'UPDATE account_tokens SET spent = 1 WHERE digest = ? AND purpose = ? AND spent = 0',
        digest,
        purpose,
      ),
    );
    return spent > 0;
  }

  async removeAllOf(accountId: string): Promise<void> {
    await this.#database.write(() => this.#database.run('DELETE FROM account_tokens WHERE account_id = ?', accountId));
  }

  removeExpired(moment: Instant): Promise<number> {
    return removeInBatches(this.#database, { table: 'account_tokens', condition: 'expires_at <= ?' }, moment);
  }
}

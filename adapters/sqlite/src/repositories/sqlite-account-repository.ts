import type { Account, AccountRepository, ClosedAccount, Instant } from '@palimpsest/core';
import type { Database } from '../database.ts';

interface Row {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
  readonly email_verified: number;
  readonly created_at: number;
}

interface ClosedRow {
  readonly id: string;
  readonly closed_at: number;
}

const accountOf = (row: Row): Account => ({
  id: row.id,
  email: row.email,
  passwordHash: row.password_hash,
  emailVerified: row.email_verified === 1,
  createdAt: row.created_at,
});

/**
 * Accounts in SQLite. Each look-up compares the found key with the requested one, because SQLite stores U+FFFD for a
 * lone surrogate.
 */
export class SqliteAccountRepository implements AccountRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Throws `TypeError` if the id belongs to another account, open or closed. */
  add(account: Account): Promise<boolean> {
    return this.#database.write(() => {
      if (this.#database.one('SELECT 1 FROM accounts WHERE email = ?', account.email)) return false;
      const closed = this.#database.one('SELECT 1 FROM closed_accounts WHERE id = ?', account.id);
      if (closed) throw new TypeError('The account id is already in use');
      const stored = this.#database.run(
        `INSERT INTO accounts (id, email, password_hash, email_verified, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO NOTHING`,
        account.id,
        account.email,
        account.passwordHash,
        Number(account.emailVerified),
        account.createdAt,
      );
      if (stored === 0) throw new TypeError('The account id is already in use');
      return true;
    });
  }

  find(id: string): Promise<Account | undefined> {
    return this.#database.read(() => this.#byId(id));
  }

  findByEmail(email: string): Promise<Account | undefined> {
    return this.#database.read(() => {
      const row = this.#database.one<Row>('SELECT * FROM accounts WHERE email = ?', email);
      return row?.email === email ? accountOf(row) : undefined;
    });
  }

  async verifyEmail(id: string): Promise<void> {
    await this.#database.write(() => this.#database.run('UPDATE accounts SET email_verified = 1 WHERE id = ?', id));
  }

  changePassword(id: string, from: string, to: string): Promise<boolean> {
    return this.#database.write(() => {
      if (this.#byId(id)?.passwordHash !== from) return false;
      this.#database.run('UPDATE accounts SET password_hash = ? WHERE id = ?', to, id);
      return true;
    });
  }

  async close(id: string, closedAt: Instant): Promise<void> {
    await this.#database.write(() => {
      const removed = this.#database.run('DELETE FROM accounts WHERE id = ?', id);
      if (removed > 0) this.#database.run('INSERT INTO closed_accounts (id, closed_at) VALUES (?, ?)', id, closedAt);
    });
  }

  closed(): Promise<readonly ClosedAccount[]> {
    return this.#database.read(() =>
      this.#database
        .all<ClosedRow>('SELECT id, closed_at FROM closed_accounts ORDER BY closed_at')
        .map((row) => ({ id: row.id, closedAt: row.closed_at })),
    );
  }

  async forget(id: string): Promise<void> {
    await this.#database.write(() => this.#database.run('DELETE FROM closed_accounts WHERE id = ?', id));
  }

  #byId(id: string): Account | undefined {
    const row = this.#database.one<Row>('SELECT * FROM accounts WHERE id = ?', id);
    return row?.id === id ? accountOf(row) : undefined;
  }
}

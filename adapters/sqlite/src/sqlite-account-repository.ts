import type { Account, AccountRepository } from '@palimpsest/core';
import type { Database } from './database.ts';

interface Row {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
  readonly email_verified: number;
  readonly created_at: number;
}

const accountOf = (row: Row): Account => ({
  id: row.id,
  email: row.email,
  passwordHash: row.password_hash,
  emailVerified: row.email_verified === 1,
  createdAt: row.created_at,
});

/** Accounts in SQLite. */
export class SqliteAccountRepository implements AccountRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(account: Account): Promise<boolean> {
    return this.#database.write(() => {
      if (this.#database.one('SELECT 1 FROM accounts WHERE email = ?', account.email)) return false;
      const stored = this.#database.run(
        `INSERT INTO accounts (id, email, password_hash, email_verified, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO NOTHING`,
        account.id,
        account.email,
        account.passwordHash,
        Number(account.emailVerified),
        account.createdAt,
      );
      if (stored === 0) throw new TypeError('The account id is taken');
      return true;
    });
  }

  async find(id: string): Promise<Account | undefined> {
    const account = await this.#one('SELECT * FROM accounts WHERE id = ?', id);
    return account?.id === id ? account : undefined;
  }

  async findByEmail(email: string): Promise<Account | undefined> {
    const account = await this.#one('SELECT * FROM accounts WHERE email = ?', email);
    return account?.email === email ? account : undefined;
  }

  async remove(id: string): Promise<void> {
    await this.#database.write(() => this.#database.run('DELETE FROM accounts WHERE id = ?', id));
  }

  #one(sql: string, value: string): Promise<Account | undefined> {
    return this.#database.read(() => {
      const row = this.#database.one<Row>(sql, value);
      return row && accountOf(row);
    });
  }
}

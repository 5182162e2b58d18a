import { randomUUID } from 'node:crypto';
import type { Account, AccountRepository, ClosedAccount, Instant } from '@palimpsest/core';
import type { Collection, Filter } from 'mongodb';
import { LATEST, unknownOutcome, type Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import type { Indexes } from '../indexes.ts';

const ACCOUNTS = 'accounts';

interface OpenRow {
  readonly _id: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly emailVerified: boolean;
  readonly createdAt: Instant;
  readonly addedBy: string; // the call that stored the account
  readonly changedBy?: string; // the call that set the password
}

/** The record of a closed account. It replaces the account atomically. */
interface ClosedRow {
  readonly _id: string;
  readonly closedAt: Instant;
}

const accountOf = ({ _id, email, passwordHash, emailVerified, createdAt }: OpenRow): Account => ({
  id: _id,
  email,
  passwordHash,
  emailVerified,
  createdAt,
});

const OPEN = { email: { $exists: true } } as const;

export const accountIndexes: Indexes = {
  [ACCOUNTS]: [
    { name: 'by_email', key: { email: 1 }, unique: true, sparse: true },
    { name: 'closed', key: { closedAt: 1 }, sparse: true },
  ],
};

/** Accounts in MongoDB. */
export class MongoAccountRepository implements AccountRepository {
  readonly #database: Database;
  readonly #open: Collection<OpenRow>;
  readonly #closed: Collection<ClosedRow>;

  constructor(database: Database) {
    this.#database = database;
    this.#open = database.collection(ACCOUNTS);
    this.#closed = database.collection(ACCOUNTS);
  }

  /** Throws `TypeError` if the id belongs to another account, open or closed. */
  add({ id, ...account }: Account): Promise<boolean> {
    const addedBy = randomUUID();
    return this.#database.write(async () => {
      for (;;) {
        try {
          await this.#open.insertOne({ _id: id, ...account, addedBy });
          return true;
        } catch (error) {
          if (!isDuplicate(error)) throw error;
        }
        const holder = await this.#open.findOne({ email: account.email }, LATEST);
        if (holder) return holder.addedBy === addedBy;
        const sameId = await this.#open.findOne({ _id: id }, LATEST);
        if (sameId) throw new TypeError('The account id is already in use');
      }
    });
  }

  find(id: string): Promise<Account | undefined> {
    return this.#find({ _id: id, ...OPEN }, id);
  }

  findByEmail(email: string): Promise<Account | undefined> {
    return this.#find({ email }, email);
  }

  async verifyEmail(id: string): Promise<void> {
    if (!id.isWellFormed()) return;
    await this.#database.write(() => this.#open.updateOne({ _id: id, ...OPEN }, { $set: { emailVerified: true } }));
  }

  async changePassword(id: string, from: string, to: string): Promise<boolean> {
    if (!id.isWellFormed() || !from.isWellFormed()) return false;
    const changedBy = randomUUID();
    return await this.#database.write(async (isRetry) => {
      const { matchedCount } = await this.#open.updateOne(
        { _id: id, passwordHash: from },
        { $set: { passwordHash: to, changedBy } },
      );
      if (matchedCount > 0 || !isRetry) return matchedCount > 0;
      const row = await this.#open.findOne({ _id: id }, LATEST);
      if (row?.changedBy === changedBy) return true;
      // The account is closed, or another call changed it. It is unknown whether an earlier attempt took effect before
      // that.
      throw unknownOutcome();
    });
  }

  async close(id: string, closedAt: Instant): Promise<void> {
    if (!id.isWellFormed()) return;
    await this.#database.write(async () => {
      for (;;) {
        const { matchedCount } = await this.#closed.replaceOne({ _id: id, ...OPEN }, { closedAt });
        // A MongoDB-compatible server may overlook a record that another call changes at the same moment.
        if (
          matchedCount > 0 ||
          !(await this.#open.findOne({ _id: id, ...OPEN }, { ...LATEST, projection: { _id: 1 } }))
        )
          return;
      }
    });
  }

  async closed(): Promise<readonly ClosedAccount[]> {
    const rows = await this.#database.run(() =>
      this.#closed
        .find({ closedAt: { $exists: true } })
        .sort({ closedAt: 1 })
        .toArray(),
    );
    return rows.map(({ _id, closedAt }) => ({ id: _id, closedAt }));
  }

  async forget(id: string): Promise<void> {
    if (!id.isWellFormed()) return;
    await this.#database.write(() => this.#closed.deleteOne({ _id: id, closedAt: { $exists: true } }));
  }

  // MongoDB stores a lone surrogate as U+FFFD, so such a text could find another account.
  async #find(filter: Filter<OpenRow>, text: string): Promise<Account | undefined> {
    if (!text.isWellFormed()) return undefined;
    const row = await this.#database.run(() => this.#open.findOne(filter));
    return row ? accountOf(row) : undefined;
  }
}

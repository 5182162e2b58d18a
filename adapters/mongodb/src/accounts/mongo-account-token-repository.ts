import { randomUUID } from 'node:crypto';
import type { AccountToken, AccountTokenRepository, Instant, TokenPurpose } from '@palimpsest/core';
import type { Collection } from 'mongodb';
import { LATEST, unknownOutcome, type Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import type { Indexes } from '../indexes.ts';
import { removeInBatches } from '../removal.ts';

const ACCOUNT_TOKENS = 'account_tokens';

interface Row {
  readonly _id: string;
  readonly accountId: string;
  readonly purpose: TokenPurpose;
  readonly digest: string;
  readonly requestedAt: Instant;
  readonly expiresAt: Instant;
  readonly spent: boolean;
  readonly issuedBy: string; // the call that issued the token
  readonly spentBy?: string; // the call that spent the token
}

// Unique, because no purpose contains a colon.
const idOf = ({ purpose, accountId }: AccountToken): string => `${purpose}:${accountId}`;

export const accountTokenIndexes: Indexes = {
  [ACCOUNT_TOKENS]: [
    { name: 'by_digest', key: { digest: 1, purpose: 1 } },
    { name: 'of_account', key: { accountId: 1 } },
    { name: 'by_expiry', key: { expiresAt: 1 } },
  ],
};

/** Account tokens in MongoDB: one record per account and purpose. */
export class MongoAccountTokenRepository implements AccountTokenRepository {
  readonly #database: Database;
  readonly #tokens: Collection<Row>;

  constructor(database: Database) {
    this.#database = database;
    this.#tokens = database.collection(ACCOUNT_TOKENS);
  }

  issue(token: AccountToken): Promise<boolean> {
    const call = randomUUID();
    const _id = idOf(token);
    const { digest, requestedAt, expiresAt } = token;
    return this.#database.write(async () => {
      for (;;) {
        const extended = await this.#tokens.updateOne({ _id, digest, spent: false }, { $set: { expiresAt } });
        if (extended.matchedCount > 0) return true;
        try {
          await this.#tokens.updateOne(
            { _id, digest: { $ne: digest }, requestedAt: { $lt: requestedAt } },
            { $set: { ...token, spent: false, issuedBy: call }, $unset: { spentBy: '' } },
            { upsert: true },
          );
          return true;
        } catch (error) {
          // The stored token is not older, or another call inserted a token at the same time.
          if (!isDuplicate(error)) throw error;
        }
        const row = await this.#tokens.findOne({ _id }, LATEST);
        if (row?.issuedBy === call) return true;
        const isRefused = row && (row.digest === digest ? row.spent : row.requestedAt >= requestedAt);
        if (isRefused) return false;
      }
    });
  }

  async find(digest: string, purpose: TokenPurpose): Promise<AccountToken | undefined> {
    if (!digest.isWellFormed()) return undefined;
    const row = await this.#database.run(() => this.#tokens.findOne({ digest, purpose, spent: false }));
    if (!row) return undefined;
    return { accountId: row.accountId, purpose, digest, requestedAt: row.requestedAt, expiresAt: row.expiresAt };
  }

  async spend(digest: string, purpose: TokenPurpose): Promise<boolean> {
    if (!digest.isWellFormed()) return false;
    const call = randomUUID();
    return await this.#database.write(async (isRetry) => {
      const { matchedCount } = await this.#tokens.updateOne(
        { digest, purpose, spent: false },
        { $set: { spent: true, spentBy: call } },
      );
      if (matchedCount > 0 || !isRetry) return matchedCount > 0;
      const rows = await this.#tokens.find({ digest, purpose }, LATEST).toArray();
      if (rows.length === 0) throw unknownOutcome();
      return rows.some(({ spentBy }) => spentBy === call);
    });
  }

  async removeAllOf(accountId: string): Promise<void> {
    if (accountId.isWellFormed()) await removeInBatches(this.#database, ACCOUNT_TOKENS, { accountId });
  }

  removeExpired(moment: Instant): Promise<number> {
    return removeInBatches(this.#database, ACCOUNT_TOKENS, { expiresAt: { $lte: moment } });
  }
}

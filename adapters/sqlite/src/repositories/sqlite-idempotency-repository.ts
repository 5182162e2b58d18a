import type { IdempotencyRepository, Instant, KeyedRequest, KeyState } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { removeInBatches } from '../remove-in-batches.ts';

interface Row {
  readonly fingerprint: string;
  readonly resource_id: string;
  readonly held_until: number;
  readonly answer: string | null;
}

/** Keyed requests in SQLite. */
export class SqliteIdempotencyRepository implements IdempotencyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  begin(request: KeyedRequest, now: Instant): Promise<KeyState> {
    return this.#database.write(() => {
      const row = this.#database.one<Row>(
        `SELECT fingerprint, resource_id, held_until, answer FROM keyed_requests
         WHERE account_id = ? AND key = ? AND expires_at > ?`,
        request.accountId,
        request.key,
        now,
      );
      if (!row) return this.#hold(request);
      if (row.fingerprint !== request.fingerprint) return { kind: 'other' };
      if (row.answer !== null) return { kind: 'answered', answer: row.answer };
      if (row.held_until > now) return { kind: 'held', until: row.held_until };
      return this.#hold({ ...request, resourceId: row.resource_id });
    });
  }

  async answer(accountId: string, key: string, answer: string): Promise<void> {
    await this.#database.write(() =>
      this.#database.run(
        'UPDATE keyed_requests SET answer = ? WHERE account_id = ? AND key = ? AND answer IS NULL',
        answer,
        accountId,
        key,
      ),
    );
  }

  async release(accountId: string, key: string): Promise<void> {
    await this.#database.write(() =>
      this.#database.run(
        'DELETE FROM keyed_requests WHERE account_id = ? AND key = ? AND answer IS NULL',
        accountId,
        key,
      ),
    );
  }

  async removeAllOf(accountId: string): Promise<void> {
    await removeInBatches(this.#database, { table: 'keyed_requests', condition: 'account_id = ?' }, accountId);
  }

  removeExpired(now: Instant): Promise<number> {
    return removeInBatches(this.#database, { table: 'keyed_requests', condition: 'expires_at <= ?' }, now);
  }

  #hold(request: KeyedRequest): KeyState {
    this.#database.run(
      `INSERT OR REPLACE INTO keyed_requests (account_id, key, fingerprint, resource_id, held_until, expires_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      request.accountId,
      request.key,
      request.fingerprint,
      request.resourceId,
      request.heldUntil,
      request.expiresAt,
    );
    return { kind: 'begun', resourceId: request.resourceId };
  }
}

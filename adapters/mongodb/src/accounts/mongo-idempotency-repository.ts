import { randomUUID } from 'node:crypto';
import type { IdempotencyRepository, Instant, KeyedRequest, KeyState } from '@palimpsest/core';
import type { Collection } from 'mongodb';
import { LATEST, type Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import type { Indexes } from '../indexes.ts';
import { removeInBatches } from '../removal.ts';

const KEYED_REQUESTS = 'keyed_requests';

interface Row {
  readonly _id: string;
  readonly accountId: string;
  readonly fingerprint: string;
  readonly resourceId: string;
  readonly heldUntil: Instant;
  readonly expiresAt: Instant;
  readonly hold: string; // a new random value each time that a request takes the key
  readonly answer?: string;
}

/** A text that is unique for the account and the key. */
const idOf = (accountId: string, key: string): string => JSON.stringify([accountId, key]);

export const idempotencyIndexes: Indexes = {
  [KEYED_REQUESTS]: [
    { name: 'of_account', key: { accountId: 1 } },
    { name: 'by_expiry', key: { expiresAt: 1 } },
  ],
};

/** Keyed requests in MongoDB. */
export class MongoIdempotencyRepository implements IdempotencyRepository {
  readonly #database: Database;
  readonly #requests: Collection<Row>;

  constructor(database: Database) {
    this.#database = database;
    this.#requests = database.collection(KEYED_REQUESTS);
  }

  begin(request: KeyedRequest, now: Instant): Promise<KeyState> {
    const hold = randomUUID();
    return this.#database.write(async () => {
      for (;;) {
        const row = await this.#requests.findOne({ _id: idOf(request.accountId, request.key) }, LATEST);
        const state = row && this.#stateOf(row, request, hold, now);
        if (state) return state;
        const resourceId = row && row.expiresAt > now ? row.resourceId : request.resourceId;
        if (await this.#take({ ...request, resourceId }, hold, row)) return { kind: 'begun', resourceId };
      }
    });
  }

  async answer(accountId: string, key: string, answer: string): Promise<void> {
    await this.#database.write(() =>
      this.#requests.updateOne({ _id: idOf(accountId, key), answer: { $exists: false } }, { $set: { answer } }),
    );
  }

  async release(accountId: string, key: string): Promise<void> {
    const _id = idOf(accountId, key);
    const row = await this.#database.run(() => this.#requests.findOne({ _id }, LATEST));
    // The filter contains `hold`, so that a retry does not release a key that another request has taken since.
    if (row)
      await this.#database.write(() => this.#requests.deleteOne({ _id, hold: row.hold, answer: { $exists: false } }));
  }

  async removeAllOf(accountId: string): Promise<void> {
    if (accountId.isWellFormed()) await removeInBatches(this.#database, KEYED_REQUESTS, { accountId });
  }

  removeExpired(now: Instant): Promise<number> {
    return removeInBatches(this.#database, KEYED_REQUESTS, { expiresAt: { $lte: now } });
  }

  /** The state of a stored key; `undefined` if the request may take the key. */
  #stateOf(row: Row, request: KeyedRequest, hold: string, now: Instant): KeyState | undefined {
    if (row.hold === hold) return { kind: 'begun', resourceId: row.resourceId };
    if (row.expiresAt <= now) return undefined;
    if (row.fingerprint !== request.fingerprint) return { kind: 'other' };
    if (row.answer !== undefined) return { kind: 'answered', answer: row.answer };
    return row.heldUntil > now ? { kind: 'held', until: row.heldUntil } : undefined;
  }

  /** Takes the key if it is still stored as in `found` (`null`: not stored). `false` if another request was faster. */
  async #take(request: KeyedRequest, hold: string, found: Row | null): Promise<boolean> {
    const { accountId, key, fingerprint, resourceId, heldUntil, expiresAt } = request;
    const _id = idOf(accountId, key);
    const row = { accountId, fingerprint, resourceId, heldUntil, expiresAt, hold };
    if (found) {
      // Another request may have stored an answer since. It must not be lost.
      const unanswered = found.answer === undefined ? { answer: { $exists: false } } : {};
      return (await this.#requests.replaceOne({ _id, hold: found.hold, ...unanswered }, row)).matchedCount > 0;
    }
    try {
      await this.#requests.insertOne({ _id, ...row });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }
}

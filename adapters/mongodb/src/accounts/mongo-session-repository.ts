import { randomUUID } from 'node:crypto';
import type { Instant, Rotation, Session, SessionOfToken, SessionRepository } from '@palimpsest/core';
import type { Collection } from 'mongodb';
import { LATEST, unknownOutcome, type Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import type { Indexes } from '../indexes.ts';
import { removeInBatches, removeOne } from '../removal.ts';

const SESSIONS = 'sessions';

/** Enough for a client that refreshes every hour for 30 days. Takes at most 200 KiB in the record of the session. */
const USED_TOKENS_KEPT = 1000;

const BATCH = 100;

interface UsedToken {
  readonly digest: string;
  readonly usedAt: Instant;
  readonly expiresAt: Instant; // when the session would have expired without this rotation
  readonly usedBy: string; // the call that rotated the token
}

/** A session. The record contains its used tokens, so that a rotation and a removal are atomic. */
interface Row {
  readonly _id: string;
  readonly accountId: string;
  readonly refreshTokenDigest: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly addedBy: string; // the call that stored the session
  readonly used: readonly UsedToken[];
  readonly forgetAt?: Instant; // the earliest `expiresAt` of the used tokens
}

const sessionOf = ({ _id, accountId, refreshTokenDigest, createdAt, expiresAt }: Row): Session => ({
  id: _id,
  accountId,
  refreshTokenDigest,
  createdAt,
  expiresAt,
});

const WITHOUT_USED = { used: 0 } as const;

export const sessionIndexes: Indexes = {
  [SESSIONS]: [
    { name: 'by_token', key: { refreshTokenDigest: 1 } },
    { name: 'by_used_token', key: { 'used.digest': 1 } },
    { name: 'of_account', key: { accountId: 1 } },
    { name: 'by_expiry', key: { expiresAt: 1 } },
    { name: 'by_forgetting', key: { forgetAt: 1 }, sparse: true },
  ],
};

/** Sessions in MongoDB. */
export class MongoSessionRepository implements SessionRepository {
  readonly #database: Database;
  readonly #sessions: Collection<Row>;

  constructor(database: Database) {
    this.#database = database;
    this.#sessions = database.collection(SESSIONS);
  }

  async add({ id, ...session }: Session): Promise<void> {
    const addedBy = randomUUID();
    const stored = await this.#database.write(async () => {
      try {
        await this.#sessions.insertOne({ _id: id, ...session, addedBy, used: [] });
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return (
          (await this.#sessions.findOne({ _id: id }, { ...LATEST, projection: WITHOUT_USED }))?.addedBy === addedBy
        );
      }
    });
    if (!stored) throw new TypeError('The session id is already in use');
  }

  async find(id: string): Promise<Session | undefined> {
    if (!id.isWellFormed()) return undefined;
    const row = await this.#database.run(() => this.#sessions.findOne({ _id: id }, { projection: WITHOUT_USED }));
    return row ? sessionOf(row) : undefined;
  }

  async findByRefreshToken(digest: string): Promise<SessionOfToken | undefined> {
    if (!digest.isWellFormed()) return undefined;
    return await this.#database.run(async () => {
      const current = await this.#sessions.findOne({ refreshTokenDigest: digest }, { projection: WITHOUT_USED });
      if (current) return { session: sessionOf(current), usedAt: undefined };
      const row = await this.#sessions.findOne({ 'used.digest': digest });
      const used = row?.used.findLast((token) => token.digest === digest);
      return row && used ? { session: sessionOf(row), usedAt: used.usedAt } : undefined;
    });
  }

  async rotate(id: string, { from, to, usedAt, expiresAt }: Rotation): Promise<boolean> {
    if (!id.isWellFormed() || !from.isWellFormed()) return false;
    const usedBy = randomUUID();
    return await this.#database.write(async (isRetry) => {
      const row = await this.#sessions.findOne({ _id: id }, isRetry ? LATEST : { ...LATEST, projection: WITHOUT_USED });
      if (isRetry) {
        if (!row) throw unknownOutcome();
        if (row.used.some((token) => token.usedBy === usedBy)) return true;
      }
      if (row?.refreshTokenDigest !== from) return false;
      const used: UsedToken = { digest: from, usedAt, expiresAt: row.expiresAt, usedBy };
      const { matchedCount } = await this.#sessions.updateOne(
        { _id: id, refreshTokenDigest: from },
        {
          $set: { refreshTokenDigest: to, expiresAt },
          $min: { forgetAt: row.expiresAt },
          $push: { used: { $each: [used], $sort: { usedAt: 1 }, $slice: -USED_TOKENS_KEPT } },
        },
      );
      if (matchedCount > 0 || !isRetry) return matchedCount > 0;
      // An earlier attempt may have taken effect after the check above.
      const after = await this.#sessions.findOne({ _id: id }, LATEST);
      if (!after) throw unknownOutcome();
      return after.used.some((token) => token.usedBy === usedBy);
    });
  }

  async remove(id: string): Promise<void> {
    if (id.isWellFormed()) await removeOne(this.#database, SESSIONS, id);
  }

  async removeAllOf(accountId: string, exceptId?: string): Promise<void> {
    if (!accountId.isWellFormed()) return;
    await removeInBatches(
      this.#database,
      SESSIONS,
      exceptId?.isWellFormed() === true ? { accountId, _id: { $ne: exceptId } } : { accountId },
    );
  }

  async removeExpired(now: Instant): Promise<number> {
    const removed = await removeInBatches(this.#database, SESSIONS, { expiresAt: { $lte: now } });
    await this.#removeExpiredTokens(now);
    return removed;
  }

  async #removeExpiredTokens(now: Instant): Promise<void> {
    for (;;) {
      const rows = await this.#database.run(() =>
        this.#sessions.find({ forgetAt: { $lte: now } }, { ...LATEST, limit: BATCH }).toArray(),
      );
      if (rows.length === 0) return;
      const changes = rows.map(({ _id, refreshTokenDigest, used }) => {
        const remaining = used.filter((token) => token.expiresAt > now).map((token) => token.expiresAt);
        const next =
          remaining.length === 0
            ? { $unset: { forgetAt: '' as const } }
            : { $set: { forgetAt: Math.min(...remaining) } };
        // A concurrent rotation changes the digest. Then the next iteration handles the session.
        return {
          updateOne: {
            filter: { _id, refreshTokenDigest },
            update: { $pull: { used: { expiresAt: { $lte: now } } }, ...next },
          },
        };
      });
      await this.#database.write(() => this.#sessions.bulkWrite(changes, { ordered: false }));
    }
  }
}

import { randomUUID } from 'node:crypto';
import type { Instant, MailLedger, MailOutcome, MailRecord } from '@palimpsest/core';
import type { Collection } from 'mongodb';
import { LATEST, unknownOutcome, type Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import type { Indexes } from '../indexes.ts';
import { removeInBatches } from '../removal.ts';

const MAILS = 'mails';
const CALLS_KEPT = 16;

interface Row {
  readonly _id: string;
  readonly attempts: number;
  readonly firstAttemptAt: Instant;
  readonly outcome?: MailOutcome;
  readonly calls: readonly string[]; // the random ids of the newest calls of `begin`, one for each attempt
}

const recordOf = ({ attempts, firstAttemptAt, outcome }: Row): MailRecord => ({ attempts, firstAttemptAt, outcome });

export const mailIndexes: Indexes = { [MAILS]: [{ name: 'by_first_attempt', key: { firstAttemptAt: 1 } }] };

/** The mail ledger in MongoDB. */
export class MongoMailLedger implements MailLedger {
  readonly #database: Database;
  readonly #mails: Collection<Row>;

  constructor(database: Database) {
    this.#database = database;
    this.#mails = database.collection(MAILS);
  }

  begin(mailId: string, now: Instant): Promise<MailRecord> {
    const call = randomUUID();
    return this.#database.write(async (isRetry) => {
      for (let mayBeStored = isRetry; ; mayBeStored = true) {
        if (mayBeStored) {
          const row = await this.#mails.findOne({ _id: mailId }, LATEST);
          if (row?.outcome !== undefined) return recordOf(row);
          const index = row?.calls.indexOf(call) ?? -1;
          // Later calls may have counted further attempts.
          if (row && index >= 0) return { ...recordOf(row), attempts: row.attempts - (row.calls.length - 1 - index) };
        }
        try {
          const row = await this.#mails.findOneAndUpdate(
            { _id: mailId, outcome: { $exists: false } },
            {
              $inc: { attempts: 1 },
              $push: { calls: { $each: [call], $slice: -CALLS_KEPT } },
              $setOnInsert: { firstAttemptAt: now },
            },
            { upsert: true, returnDocument: 'after' },
          );
          if (row) return recordOf(row);
        } catch (error) {
          // The mail has an outcome, or another call inserted the record at the same time.
          if (!isDuplicate(error)) throw error;
        }
      }
    });
  }

  async finish(mailId: string, outcome: MailOutcome): Promise<void> {
    const known = mailId.isWellFormed();
    const found =
      known &&
      (await this.#database.write(async (isRetry) => {
        const { matchedCount } = await this.#mails.updateOne(
          { _id: mailId, outcome: { $exists: false } },
          { $set: { outcome } },
        );
        if (matchedCount > 0 || (await this.#mails.findOne({ _id: mailId }, LATEST)) !== null) return true;
        if (isRetry) throw unknownOutcome();
        return false;
      }));
    if (!found) throw new TypeError('A mail without an attempt cannot have an outcome');
  }

  removeBefore(moment: Instant): Promise<number> {
    return removeInBatches(this.#database, MAILS, { firstAttemptAt: { $lt: moment } });
  }
}

import { createHash } from 'node:crypto';
import type { JobLock, JobStore, LockedJob } from '@palimpsest/job-store';
import { ObjectId, type Collection } from 'mongodb';
import type { Database } from './database.ts';
import { isDuplicate } from './errors.ts';
import type { Indexes } from './indexes.ts';

const JOBS = 'jobs';

/**
 * `to_run` finds the due jobs of a name, and the jobs whose lock has expired. Its last fields are unused. They remain,
 * because an index with other keys would need another name, and every existing database would have to build it.
 */
export const jobIndexes: Indexes = {
  [JOBS]: [
    {
      name: 'to_run',
      key: {
        name: 1,
        lockedAt: 1,
        nextRunAt: 1,
        priority: -1,
        _id: 1,
        disabled: 1,
        failedAt: 1,
        lastFinishedAt: 1,
        repeatInterval: 1,
      },
    },
  ],
};

interface JobDocument {
  readonly _id: ObjectId;
  readonly name: string;
  readonly type: 'normal' | 'single'; // the recurring job of a name is `single`
  readonly priority: number;
  readonly data: { readonly json: string };
  readonly nextRunAt: Date;
  readonly lockedAt: Date | null;
  readonly lockToken: string | null;
}

const UNLOCKED = { lockedAt: null, lockToken: null };

const heldBy = ({ id, token }: JobLock) => ({ _id: new ObjectId(id), lockToken: token });

/** The same for every process, so that the recurring job of a kind exists once. */
const recurringId = (kind: string): ObjectId =>
  new ObjectId(createHash('sha256').update(kind).digest().subarray(0, 12));

/** The jobs of a job queue in MongoDB. */
export class MongoJobStore implements JobStore {
  readonly #database: Database;
  readonly #jobs: Collection<JobDocument>;

  constructor(database: Database) {
    this.#database = database;
    this.#jobs = database.collection<JobDocument>(JOBS);
  }

  async add(kind: string, payload: string, nextRunAtMs: number): Promise<void> {
    const data = { json: payload };
    const nextRunAt = new Date(nextRunAtMs);
    const job = { _id: new ObjectId(), name: kind, type: 'normal', priority: 0, data, nextRunAt, ...UNLOCKED } as const;
    await this.#database.write(async (isRetry) => {
      try {
        await this.#jobs.insertOne(job);
      } catch (error) {
        // The id is new, so an earlier attempt has inserted the job.
        if (!isRetry || !isDuplicate(error)) throw error;
      }
    });
  }

  async addRecurring(kind: string, nowMs: number, latestMs: number): Promise<void> {
    const _id = recurringId(kind);
    const job = { name: kind, type: 'single', priority: 0, data: { json: '{}' }, ...UNLOCKED } as const;
    await this.#database.write(async () => {
      try {
        await this.#jobs.insertOne({ _id, ...job, nextRunAt: new Date(nowMs) });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        await this.#jobs.updateOne({ _id }, { $min: { nextRunAt: new Date(latestMs) } });
      }
    });
  }

  async lockNext(kind: string, token: string, nowMs: number): Promise<LockedJob | undefined> {
    const now = new Date(nowMs);
    const job = await this.#database.run(() =>
      this.#jobs.findOneAndUpdate(
        { name: kind, lockedAt: null, nextRunAt: { $lte: now } },
        { $set: { lockedAt: now, lockToken: token } },
        { sort: { nextRunAt: 1, priority: -1, _id: 1 }, returnDocument: 'after' },
      ),
    );
    if (job === null) return undefined;
    return { id: job._id.toHexString(), payload: job.data.json, isRecurring: job.type === 'single' };
  }

  async renew(lock: JobLock, nowMs: number): Promise<boolean> {
    const lockedAt = new Date(nowMs);
    return (
      (await this.#database.run(() => this.#jobs.updateOne(heldBy(lock), { $set: { lockedAt } }))).matchedCount > 0
    );
  }

  async release(lock: JobLock, nextRunAtMs?: number): Promise<boolean> {
    const unlocked = { ...UNLOCKED, ...(nextRunAtMs === undefined ? {} : { nextRunAt: new Date(nextRunAtMs) }) };
    return (await this.#database.run(() => this.#jobs.updateOne(heldBy(lock), { $set: unlocked }))).matchedCount > 0;
  }

  async remove(lock: JobLock): Promise<boolean> {
    return (await this.#database.run(() => this.#jobs.deleteOne(heldBy(lock)))).deletedCount > 0;
  }

  async releaseExpired(kinds: readonly string[], lockedBeforeMs: number): Promise<void> {
    const expired = { name: { $in: [...kinds] }, lockedAt: { $lte: new Date(lockedBeforeMs) } };
    await this.#database.run(() => this.#jobs.updateMany(expired, { $set: UNLOCKED }));
  }
}

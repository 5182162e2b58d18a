import { randomUUID } from 'node:crypto';
import { MongoJobRepository as LibraryRepository } from '@agendajs/mongo-backend';
import type {
  JobId,
  JobParameters,
  JobRepository,
  JobRepositoryOptions,
  JobsOverview,
  JobsQueryOptions,
  JobsResult,
  RemoveJobsOptions,
} from 'agenda';
import { ObjectId, type Collection, type Filter, type Sort } from 'mongodb';
import type { Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import { countByState, overviewOf, type JobCount } from './job-counts.ts';
import { jobOf, lockedUnder, lockTokenOf, stateOf, type JobDocument } from './job-document.ts';
import { JOBS } from './job-indexes.ts';

const modifiedBy = (options: JobRepositoryOptions | undefined) => ({ lastModifiedBy: options?.lastModifiedBy ?? null });

const objectIdsOf = (ids: readonly string[]): ObjectId[] =>
  ids.filter((id) => ObjectId.isValid(id)).map((id) => new ObjectId(id));

/**
 * Agenda's jobs in MongoDB, by the repository of `@agendajs/mongo-backend`, but for what the job queue promises beyond it:
 *
 * - Each lock has a token, with which each change by its holder is conditional, in one step. What a worker saves, gives back
 *   or removes under a lock that was meanwhile given to another one changes nothing.
 * - A job is looked for by an index, whether it waits or was lost, however many there are that are not due.
 * - A new job has its id before it is inserted, so that it is there once although an answer got lost.
 * - A lock that was given, and whose answer got lost, is given at the next look, not when it has run out.
 */
export class MongoJobRepository implements JobRepository {
  readonly #database: Database;
  readonly #library: LibraryRepository;
  readonly #jobs: Collection<JobDocument>;
  readonly #unanswered = new Map<string, string[]>();

  constructor(database: Database) {
    this.#database = database;
    // Its own index serves only part of what is looked for here, and `Indexes` are made at the opening.
    this.#library = new LibraryRepository({ mongo: database.db, db: { collection: JOBS }, ensureIndex: false });
    this.#library.collection = database.collection(JOBS);
    this.#jobs = database.collection<JobDocument>(JOBS);
  }

  connect(): Promise<void> {
    return this.#database.check();
  }

  queryJobs(options?: JobsQueryOptions): Promise<JobsResult> {
    return this.#database.run(() => this.#library.queryJobs(options));
  }

  async getJobsOverview(): Promise<JobsOverview[]> {
    return overviewOf(
      await this.#database.run(() => this.#jobs.aggregate<JobCount>(countByState(new Date())).toArray()),
    );
  }

  getDistinctJobNames(): Promise<string[]> {
    return this.#database.run(() => this.#library.getDistinctJobNames());
  }

  async getJobById(id: string): Promise<JobParameters | null> {
    const [_id] = objectIdsOf([id]);
    const found = _id && (await this.#database.run(() => this.#jobs.findOne({ _id })));
    return found ? jobOf(found) : null;
  }

  getQueueSize(): Promise<number> {
    return this.#database.run(() => this.#library.getQueueSize());
  }

  /** Removes the jobs meant. One that was handed out locked, given as it was, goes only while that lock is in force. */
  async removeJobs(options: RemoveJobsOptions): Promise<number> {
    const lockToken = lockTokenOf(options);
    const [_id] = options.id === undefined ? [] : objectIdsOf([options.id]);
    if (lockToken === undefined || _id === undefined)
      return this.#database.run(() => this.#library.removeJobs(options));
    const { deletedCount } = await this.#database.run(() => this.#jobs.deleteOne({ _id, lockToken }));
    return deletedCount;
  }

  disableJobs(options: RemoveJobsOptions): Promise<number> {
    return this.#database.run(() => this.#library.disableJobs(options));
  }

  enableJobs(options: RemoveJobsOptions): Promise<number> {
    return this.#database.run(() => this.#library.enableJobs(options));
  }

  purgeAllJobs(): Promise<number> {
    return this.#database.run(() => this.#library.purgeAllJobs());
  }

  async saveJob<DATA = unknown>(
    job: JobParameters<DATA>,
    options: JobRepositoryOptions | undefined,
  ): Promise<JobParameters<DATA>> {
    if (job._id !== undefined || job.type === 'single' || job.unique !== undefined) {
      return this.#database.run(() => this.#library.saveJob(job, options));
    }
    const { _id: _, unique: _unique, uniqueOpts: _opts, ...fields } = job;
    const inserted: JobDocument = { ...fields, _id: new ObjectId(), ...modifiedBy(options) };
    await this.#database.write(async (again) => {
      try {
        await this.#jobs.insertOne(inserted);
      } catch (error) {
        // Its id is new, so one that is there was inserted by an earlier try.
        if (!again || !isDuplicate(error)) throw error;
      }
    });
    return { ...job, _id: jobOf(inserted)._id };
  }

  /**
   * Stores the state of a job. Throws if the job is gone, or if the lock under which it was handed out is not in force
   * any more, whoever holds the job now; without one it throws while anybody holds the job.
   */
  async saveJobState(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<void> {
    const token = lockTokenOf(job) ?? null;
    const state = { ...stateOf(job), ...modifiedBy(options), lockToken: job.lockedAt ? token : null };
    const filter = { _id: new ObjectId(job._id), name: job.name, lockToken: token };
    const { matchedCount } = await this.#database.run(() => this.#jobs.updateOne(filter, { $set: state }));
    if (matchedCount === 0) {
      throw new Error(
        `The state of job ${job._id ?? ''} (${job.name}) was not saved: it is gone or held by another worker`,
      );
    }
  }

  /** Locks a job that nobody holds and that is still to run at `job.nextRunAt`. */
  async lockJob(job: JobParameters, options: JobRepositoryOptions | undefined): Promise<JobParameters | undefined> {
    const { _id: id, name, nextRunAt } = job;
    if (id === undefined) return undefined;
    return this.#database.run(() =>
      this.#lock(
        { _id: new ObjectId(id), name, lockedAt: null, nextRunAt },
        {},
        { token: randomUUID(), now: new Date(), options },
      ),
    );
  }

  /** Releases the lock under which `job` was handed out; the lock of another worker is left alone. */
  async unlockJob(job: JobParameters): Promise<void> {
    const token = lockTokenOf(job);
    await this.#unlock(job._id === undefined ? [] : [job._id], token === undefined ? {} : { lockToken: token });
  }

  async unlockJobs(jobIds: (JobId | string)[]): Promise<void> {
    await this.#unlock(jobIds, {});
  }

  /** Locks the next job to run: one whose lock was last heard of by `lockDeadline`, otherwise the first that is due. */
  async getNextJobToRun(
    jobName: string,
    nextScanAt: Date,
    lockDeadline: Date,
    now: Date = new Date(),
    options?: JobRepositoryOptions,
  ): Promise<JobParameters | undefined> {
    const unanswered = this.#unanswered.get(jobName)?.pop();
    const how = { token: unanswered ?? randomUUID(), now, options };
    // A search for all three at once would have to sort all that are due.
    const steps: readonly [Filter<JobDocument>, Sort][] = [
      ...(unanswered === undefined
        ? []
        : [[{ lockedAt: { $gt: new Date(0) }, lockToken: unanswered }, {}] satisfies [unknown, Sort]]),
      [{ lockedAt: { $lte: lockDeadline } }, { lockedAt: 1 }],
      [
        { lockedAt: null, nextRunAt: { $lte: nextScanAt } },
        { nextRunAt: 1, priority: -1, _id: 1 },
      ],
    ];
    try {
      return await this.#database.run(async () => {
        for (const [filter, sort] of steps) {
          const job = await this.#lock({ name: jobName, ...filter }, sort, how);
          if (job) return job;
        }
        return undefined;
      });
    } catch (error) {
      // The lock may be ours all the same.
      this.#unanswered.set(jobName, [...(this.#unanswered.get(jobName) ?? []), how.token]);
      throw error;
    }
  }

  async #lock(
    filter: Filter<JobDocument>,
    sort: Sort,
    { token, now, options }: { token: string; now: Date; options: JobRepositoryOptions | undefined },
  ): Promise<JobParameters | undefined> {
    const locked = await this.#jobs.findOneAndUpdate(
      { ...filter, disabled: { $ne: true } },
      { $set: { lockedAt: now, lockToken: token, ...modifiedBy(options) } },
      { sort, returnDocument: 'after' },
    );
    return locked ? lockedUnder(locked, token) : undefined;
  }

  async #unlock(ids: readonly string[], filter: Filter<JobDocument>): Promise<void> {
    const wanted = { ...filter, _id: { $in: objectIdsOf(ids) } };
    await this.#database.run(() => this.#jobs.updateMany(wanted, { $set: { lockedAt: null, lockToken: null } }));
  }
}

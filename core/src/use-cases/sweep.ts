import type { Ports } from '../ports/index.ts';
import { plusMs, type Instant } from '../units.ts';
import { sweepClosedAccounts } from './close-account.ts';
import { purgeDocument } from './delete-document.ts';
import { doAll } from './do-all.ts';
import { RECOGNIZE_JOB } from './upload-document.ts';

const JOBS_AT_ONCE = 1000;
const PURGES_AT_ONCE = 100;
const BLOBS_AT_ONCE = 500;
const REMOVED_AT_ONCE = 10_000; // the next sweep goes on
const ORPHAN_AGE_MS = 3_600_000;

// The job of a mail that has ended, or of one with a token that was spent, may be found again after a long rest.
const MAIL_MEMORY_MS = 30 * 24 * 3_600_000;

/** What a sweep found to do. */
export interface SweepReport {
  readonly jobsAdded: number;
  readonly documentsPurged: number;
  readonly accountsForgotten: number;
  readonly recordsExpired: number; // sessions, mailed tokens, idempotency keys, mails
}

type Needs =
  | 'documents'
  | 'pages'
  | 'revisions'
  | 'searchIndex'
  | 'blobs'
  | 'accounts'
  | 'sessions'
  | 'accountTokens'
  | 'idempotency'
  | 'mailLedger'
  | 'jobs'
  | 'clock';

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/**
 * Puts right what a process that died left half done: documents that wait without enough jobs to fetch them get jobs,
 * deleted documents and closed accounts are removed for good; and forgets what has expired. A part that fails holds up no
 * other; its error is thrown in the end. Cheap, safe to repeat and to run beside itself.
 */
export const sweep = (ports: Pick<Ports, Needs>): (() => Promise<SweepReport>) => {
  const { documents, jobs, sessions, accountTokens, idempotency, mailLedger, clock } = ports;

  const addJobs = async (now: Instant): Promise<number> => {
    const missing = (await documents.countClaimable(now)) - (await jobs.countDue(RECOGNIZE_JOB));
    const added = Math.min(Math.max(missing, 0), JOBS_AT_ONCE);
    for (let i = 0; i < added; i++) await jobs.enqueue(RECOGNIZE_JOB, {});
    return added;
  };

  const purge = async (now: Instant): Promise<number> => {
    const purgeable = await documents.findPurgeable(now, PURGES_AT_ONCE);
    return sum(
      await doAll(
        purgeable.map((document) => async () => {
          await purgeDocument(ports)(document);
          return 1;
        }),
      ),
    );
  };

  return async () => {
    const now = clock.now();
    const longAgo = plusMs(now, -MAIL_MEMORY_MS);
    const [jobsAdded = 0, accountsForgotten = 0, documentsPurged = 0, ...expired] = await doAll([
      () => addJobs(now),
      () => sweepClosedAccounts(ports)(),
      () => purge(now),
      () => sessions.removeExpired(now),
      () => accountTokens.removeExpired(longAgo),
      () => idempotency.removeExpired(now),
      () => mailLedger.removeBefore(longAgo),
    ]);
    return { jobsAdded, documentsPurged, accountsForgotten, recordsExpired: sum(expired) };
  };
};

/**
 * Removes stored files that no document refers to and that are older than an hour (younger ones may be uploads that are
 * about to become documents). Resolves with how many. Uploads that died half way are few: where more files belong to no
 * document than to one, this is rather not the database that the files belong to, so all are left and that is reported.
 * Reads the whole list of blobs: to be run seldom.
 */
export const sweepBlobs =
  ({ blobs, documents, clock, faults }: Pick<Ports, 'blobs' | 'documents' | 'clock' | 'faults'>) =>
  async (): Promise<number> => {
    const youngest = plusMs(clock.now(), -ORPHAN_AGE_MS);
    const removable: string[] = [];
    let orphans = 0;
    let owned = 0;
    const judge = async (keys: readonly string[]): Promise<void> => {
      const referenced = await documents.referencedBlobs(keys);
      const found = keys.filter((key) => !referenced.has(key));
      owned += keys.length - found.length;
      orphans += found.length;
      removable.push(...found.slice(0, REMOVED_AT_ONCE - removable.length));
    };
    let batch: string[] = [];
    for await (const blob of blobs.list()) {
      if (blob.storedAt > youngest) continue;
      batch.push(blob.key);
      if (batch.length < BLOBS_AT_ONCE) continue;
      await judge(batch);
      batch = [];
    }
    await judge(batch);
    if (orphans > owned) {
      const seen = `${orphans} stored files belong to no document, and ${owned} to one`;
      faults.report(
        new Error(`${seen}: is this the database of these files? None is removed.`),
        'looking for files without a document',
      );
      return 0;
    }
    for (const key of removable) await blobs.delete(key);
    return removable.length;
  };

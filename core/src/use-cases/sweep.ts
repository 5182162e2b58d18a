import type { Ports } from '../ports/index.ts';
import { plusMs, type Instant } from '../units.ts';
import { sweepClosedAccounts } from './close-account.ts';
import { purgeDocument } from './delete-document.ts';
import { doAll } from './do-all.ts';
import { RECOGNIZE_JOB } from './upload-document.ts';

const JOBS_AT_ONCE = 1000;
const PURGES_AT_ONCE = 100;
const BLOBS_AT_ONCE = 500;
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
 * about to become documents). Resolves with how many. Reads the whole list of blobs: to be run seldom.
 */
export const sweepBlobs =
  ({ blobs, documents, clock }: Pick<Ports, 'blobs' | 'documents' | 'clock'>) =>
  async (): Promise<number> => {
    const youngest = plusMs(clock.now(), -ORPHAN_AGE_MS);
    let removed = 0;
    const removeOrphans = async (keys: readonly string[]): Promise<void> => {
      const referenced = await documents.referencedBlobs(keys);
      for (const key of keys.filter((candidate) => !referenced.has(candidate))) {
        await blobs.delete(key);
        removed++;
      }
    };
    let batch: string[] = [];
    for await (const blob of blobs.list()) {
      if (blob.storedAt > youngest) continue;
      batch.push(blob.key);
      if (batch.length < BLOBS_AT_ONCE) continue;
      await removeOrphans(batch);
      batch = [];
    }
    await removeOrphans(batch);
    return removed;
  };

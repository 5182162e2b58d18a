import type { Ports } from '../ports/index.ts';
import { plusMs } from '../units.ts';
import { purgeDocument } from './delete-document.ts';
import { RECOGNIZE_JOB } from './upload-document.ts';

const JOBS_AT_ONCE = 1000;
const PURGES_AT_ONCE = 100;
const BLOBS_AT_ONCE = 500;
const ORPHAN_AGE_MS = 3_600_000;

/** What a sweep found to do. */
export interface SweepReport {
  readonly jobsAdded: number;
  readonly documentsPurged: number;
  readonly sessionsEnded: number;
}

/**
 * Puts right what a process that died left half done: documents that wait without enough jobs to fetch them get jobs,
 * deleted documents are removed for good, ended sessions are forgotten. Cheap, safe to repeat and to run beside itself.
 */
export const sweep =
  (ports: Pick<Ports, 'documents' | 'pages' | 'revisions' | 'blobs' | 'sessions' | 'jobs' | 'clock'>) =>
  async (): Promise<SweepReport> => {
    const { documents, jobs, sessions, clock } = ports;
    const now = clock.now();
    const missing = (await documents.countClaimable(now)) - (await jobs.countDue(RECOGNIZE_JOB));
    const jobsAdded = Math.min(Math.max(missing, 0), JOBS_AT_ONCE);
    for (let i = 0; i < jobsAdded; i++) await jobs.enqueue(RECOGNIZE_JOB, {});
    const purgeable = await documents.findPurgeable(now, PURGES_AT_ONCE);
    for (const document of purgeable) await purgeDocument(ports)(document);
    return { jobsAdded, documentsPurged: purgeable.length, sessionsEnded: await sessions.removeExpired(now) };
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

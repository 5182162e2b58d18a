import { doAll } from '../../concurrency/do-all.ts';
import type { Ports } from '../../ports/index.ts';
import { plusMs, type Instant } from '../../units.ts';
import { sweepClosedAccounts } from '../accounts/close-account.ts';
import { purgeDocument } from '../documents/delete-document.ts';
import { RECOGNIZE_JOB } from '../documents/upload-document.ts';

const JOBS_AT_ONCE = 1000;
const PURGES_AT_ONCE = 100;

// The job of a mail that was sent, or of a mail with a spent token, may run again after a long interruption.
const MAIL_MEMORY_MS = 30 * 24 * 3_600_000;

/** What a sweep did. */
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
 * Repairs what processes that died left unfinished: adds jobs for documents that wait without a job, removes deleted
 * documents and closed accounts, and forgets expired records. If one part fails, the others still run, and its error is
 * thrown at the end. Cheap, safe to repeat and to run concurrently.
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

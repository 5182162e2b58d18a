import { doAll } from '../../concurrency/do-all.ts';
import type { Ports } from '../../ports/index.ts';
import { plusMs, type Instant } from '../../units.ts';
import { removeClosedAccounts } from '../accounts/close-account.ts';
import { purgeDocument } from '../documents/delete-document.ts';

const PURGES_AT_ONCE = 100;

// Records of mails and mailed tokens stay stored for this time, because the job of a mail may run again after a long
// interruption of the service. Without them, the mail would be sent again, or its spent token would become valid again.
const MAIL_MEMORY_MS = 30 * 24 * 3_600_000;

/** The numbers of removed items. */
export interface CleanUpReport {
  readonly documentsPurged: number;
  readonly accountsRemoved: number;
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
  | 'clock';

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/**
 * The cleanup job: finishes the removal of deleted documents and closed accounts, and removes expired records. If one
 * part fails, the others still run, and its error is thrown at the end. Cheap, and safe to repeat and to run
 * concurrently.
 */
export const cleanUp = (ports: Pick<Ports, Needs>): (() => Promise<CleanUpReport>) => {
  const { documents, sessions, accountTokens, idempotency, mailLedger, clock } = ports;

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
    const [accountsRemoved = 0, documentsPurged = 0, ...expired] = await doAll([
      () => removeClosedAccounts(ports)(),
      () => purge(now),
      () => sessions.removeExpired(now),
      () => accountTokens.removeExpired(longAgo),
      () => idempotency.removeExpired(now),
      () => mailLedger.removeBefore(longAgo),
    ]);
    return { documentsPurged, accountsRemoved, recordsExpired: sum(expired) };
  };
};

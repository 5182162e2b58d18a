import type { AccessClaims } from '../../account/session.ts';
import { doAll } from '../../concurrency/do-all.ts';
import { markDeleted } from '../../document/lifecycle.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { plusMs } from '../../units.ts';
import { purgeDocument } from '../documents/delete-document.ts';
import { confirmPassword } from './confirm-password.ts';

const DOCUMENTS_AT_ONCE = 100;

/** Uploads that were begun before an account was closed may end this much later. */
const AFTERMATH_MS = 24 * 3_600_000;

type Belongings = Pick<
  Ports,
  'documents' | 'pages' | 'revisions' | 'searchIndex' | 'blobs' | 'sessions' | 'accountTokens' | 'idempotency' | 'clock'
>;

/**
 * Removes what belongs to a closed account: sessions, tokens, documents with their files. A document that a worker holds
 * is left to the sweep, which removes it when the worker's lease has ended. Safe to repeat.
 */
const removeBelongings =
  (ports: Belongings) =>
  async (accountId: string): Promise<void> => {
    const { documents, sessions, accountTokens, idempotency, clock } = ports;
    await sessions.removeAllOf(accountId);
    await accountTokens.removeAllOf(accountId);
    await idempotency.removeAllOf(accountId);
    for (;;) {
      const { items } = await documents.list(accountId, { limit: DOCUMENTS_AT_ONCE, offset: 0 });
      if (items.length === 0) return;
      for (const document of items) {
        if (document.status === 'deleting') continue;
        const deleted = markDeleted(document, clock.now());
        // Changed meanwhile: it is listed again.
        if (!(await documents.replace(deleted))) continue;
        if (deleted.purgeAfter <= clock.now()) await purgeDocument(ports)(deleted);
        else await ports.searchIndex.remove(deleted.id);
      }
    }
  };

/**
 * Closes the caller's account: nobody can sign in to it or act with its tokens any more when this resolves, its address
 * is free, and everything that it owned is removed. If that is broken off, the sweep goes on with it. Throws
 * `INVALID_CREDENTIALS` if the password is wrong, or `RATE_LIMITED`.
 */
export const closeAccount = (
  ports: Belongings & Pick<Ports, 'accounts' | 'passwordHasher' | 'rateCounters' | 'faults'>,
) => {
  const { accounts, clock, faults } = ports;
  const confirm = confirmPassword(ports);
  return async (caller: AccessClaims, password: string, source: RequestSource): Promise<void> => {
    const { id } = await confirm(caller, password, source);
    await accounts.close(id, clock.now());
    // The tokens stop working before anything that may take long or fail.
    await ports.sessions.removeAllOf(id);
    try {
      await removeBelongings(ports)(id);
    } catch (error) {
      faults.report(error, 'removing what a closed account left; the sweep will do it');
    }
  };
};

/**
 * Removes what closed accounts left, also what arrived after they were closed, and forgets them a day after. Resolves
 * with how many were forgotten. Safe to repeat.
 */
export const sweepClosedAccounts = (ports: Belongings & Pick<Ports, 'accounts'>) => async (): Promise<number> => {
  const { accounts, clock } = ports;
  const closed = await accounts.closed();
  const forgotten = await doAll(
    closed.map(({ id, closedAt }) => async () => {
      await removeBelongings(ports)(id);
      if (clock.now() < plusMs(closedAt, AFTERMATH_MS)) return false;
      await accounts.forget(id);
      return true;
    }),
  );
  return forgotten.filter(Boolean).length;
};

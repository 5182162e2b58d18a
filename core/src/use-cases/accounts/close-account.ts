import type { AccessClaims } from '../../account/session.ts';
import { doAll } from '../../concurrency/do-all.ts';
import { markDeleted } from '../../document/lifecycle.ts';
import type { Ports } from '../../ports/index.ts';
import type { RequestSource } from '../../rate-limit/limit-state.ts';
import { plusMs } from '../../units.ts';
import { purgeDocument } from '../documents/delete-document.ts';
import { confirmPassword } from './confirm-password.ts';

const DOCUMENTS_AT_ONCE = 100;

/** Uploads that started before an account was closed may still end within this time. */
const LATE_UPLOAD_MS = 24 * 3_600_000;

type AccountStores = Pick<
  Ports,
  'documents' | 'pages' | 'revisions' | 'searchIndex' | 'blobs' | 'sessions' | 'accountTokens' | 'idempotency' | 'clock'
>;

/**
 * Removes the data of a closed account: sessions, tokens, documents with their files. If a worker holds the lease of a
 * document, the cleanup job removes the document when the lease has expired. Safe to repeat.
 */
const removeAccountData =
  (ports: AccountStores) =>
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
        // A document that was changed meanwhile is in the next list.
        if (!(await documents.replace(deleted))) continue;
        if (deleted.purgeAfter <= clock.now()) await purgeDocument(ports)(deleted);
        else await ports.searchIndex.remove(deleted.id);
      }
    }
  };

/**
 * Closes the caller's account. When it resolves, nobody can sign in to the account or use its tokens any more, its
 * address is free, and its data is removed. If the removal fails, the cleanup job continues it. Throws
 * `INVALID_CREDENTIALS` if the password is wrong, or `RATE_LIMITED`.
 */
export const closeAccount = (
  ports: AccountStores & Pick<Ports, 'accounts' | 'passwordHasher' | 'rateCounters' | 'faults'>,
) => {
  const { accounts, clock, faults } = ports;
  const confirm = confirmPassword(ports);
  return async (caller: AccessClaims, password: string, source: RequestSource): Promise<void> => {
    const { id } = await confirm(caller, password, source);
    await accounts.close(id, clock.now());
    // Tokens stop working first, because the removal may take long or fail.
    await ports.sessions.removeAllOf(id);
    try {
      await removeAccountData(ports)(id);
    } catch (error) {
      faults.report(error, 'removing the data of a closed account; the cleanup job continues it');
    }
  };
};

/**
 * Removes the data of closed accounts, also data that arrived after they were closed. Removes the record of a closed
 * account after a day. Resolves with the number of removed records. Safe to repeat.
 */
export const removeClosedAccounts = (ports: AccountStores & Pick<Ports, 'accounts'>) => async (): Promise<number> => {
  const { accounts, clock } = ports;
  const closed = await accounts.closed();
  const removed = await doAll(
    closed.map(({ id, closedAt }) => async () => {
      await removeAccountData(ports)(id);
      if (clock.now() < plusMs(closedAt, LATE_UPLOAD_MS)) return false;
      await accounts.forget(id);
      return true;
    }),
  );
  return removed.filter(Boolean).length;
};

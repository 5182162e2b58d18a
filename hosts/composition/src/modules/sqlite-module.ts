import type { SqliteConfig } from '../config.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

/** Keeps documents, accounts and jobs in one SQLite file. */
export const openSqliteModule =
  ({ file }: SqliteConfig): OpenModule =>
  async ({ clock, onClose }) => {
    const [{ openSqlite }, { AgendaJobQueue }] = await Promise.all([
      import('@palimpsest/sqlite'),
      import('@palimpsest/agenda'),
    ]);
    const sqlite = await openSqlite({ file });
    onClose(() => sqlite.close());
    const { documents, pages, revisions, searchIndex, accounts, accountTokens, sessions, idempotency, mailLedger } =
      sqlite;
    const jobs = new AgendaJobQueue(sqlite.jobStore, { clock });
    return portsModule({
      documents,
      pages,
      revisions,
      searchIndex,
      accounts,
      accountTokens,
      sessions,
      idempotency,
      mailLedger,
      jobs,
    });
  };

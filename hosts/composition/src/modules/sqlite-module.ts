import { ContainerModule } from 'inversify';
import { T } from '../port-symbols.ts';
import type { OpenModule } from './opening.ts';

/** Documents, accounts and the job queue in one SQLite file. */
export const openSqliteModule: OpenModule = async ({ config, clock, onClose }) => {
  const [{ openSqlite }, { AgendaJobQueue }] = await Promise.all([import('@palimpsest/sqlite'), import('@palimpsest/agenda')]);
  const sqlite = await openSqlite({ file: config.databaseFile });
  onClose(() => sqlite.close());
  const backend = sqlite.agendaBackend();
  onClose(() => backend.disconnect());
  const jobs = new AgendaJobQueue(backend, { clock });
  return new ContainerModule(({ bind }) => {
    bind(T.documents).toConstantValue(sqlite.documents);
    bind(T.pages).toConstantValue(sqlite.pages);
    bind(T.revisions).toConstantValue(sqlite.revisions);
    bind(T.accounts).toConstantValue(sqlite.accounts);
    bind(T.accountTokens).toConstantValue(sqlite.accountTokens);
    bind(T.idempotency).toConstantValue(sqlite.idempotency);
    bind(T.mailLedger).toConstantValue(sqlite.mailLedger);
    bind(T.searchIndex).toConstantValue(sqlite.searchIndex);
    bind(T.sessions).toConstantValue(sqlite.sessions);
    bind(T.jobs).toConstantValue(jobs);
  });
};

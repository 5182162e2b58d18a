import { resolve } from 'node:path';
import { openDatabase, type DatabaseOptions } from './database.ts';
import { JobNotices } from './agenda/job-notices.ts';
import { SqliteAgendaBackend } from './agenda/sqlite-agenda-backend.ts';
import { LongPuts } from './long-puts.ts';
import { LongSearches } from './long-searches.ts';
import { SqliteAccountRepository } from './sqlite-account-repository.ts';
import { SqliteAccountTokenRepository } from './sqlite-account-token-repository.ts';
import { SqliteDocumentRepository } from './sqlite-document-repository.ts';
import { SqliteIdempotencyRepository } from './sqlite-idempotency-repository.ts';
import { SqliteMailLedger } from './sqlite-mail-ledger.ts';
import { SqlitePageRepository } from './sqlite-page-repository.ts';
import { SqliteRevisionRepository } from './sqlite-revision-repository.ts';
import { SqliteSearchIndex } from './sqlite-search-index.ts';
import { SqliteSessionRepository } from './sqlite-session-repository.ts';

/** Where the database is (`file`, made if there is none) and how long a locked one is waited for. */
export interface SqliteOptions extends DatabaseOptions {
  readonly file: string;
}

/** All that lies in one database, over one connection, and more for what takes long in the search index. */
export interface Sqlite {
  readonly documents: SqliteDocumentRepository;
  readonly pages: SqlitePageRepository;
  readonly revisions: SqliteRevisionRepository;
  readonly searchIndex: SqliteSearchIndex;
  readonly accounts: SqliteAccountRepository;
  readonly sessions: SqliteSessionRepository;
  readonly accountTokens: SqliteAccountTokenRepository;
  readonly mailLedger: SqliteMailLedger;
  readonly idempotency: SqliteIdempotencyRepository;
  /** A backend for one Agenda. All of them see the same jobs and tell each other of new ones at once. */
  readonly agendaBackend: () => SqliteAgendaBackend;
  /**
   * Closes the connection at once, and ends when no thread is left. A long text that is not in the search index by then, and
   * a long search that has not ended, is refused with `SERVICE_UNAVAILABLE`. Safe to repeat.
   */
  readonly close: () => Promise<void>;
}

/** Opens the database. Throws as `openDatabase` does. */
export const openSqlite = async ({ file, ...options }: SqliteOptions): Promise<Sqlite> => {
  const database = await openDatabase(file, options);
  const longPuts = new LongPuts(resolve(file), options);
  const longSearches = new LongSearches(resolve(file), options);
  const notices = new JobNotices();
  return {
    documents: new SqliteDocumentRepository(database),
    pages: new SqlitePageRepository(database),
    revisions: new SqliteRevisionRepository(database),
    searchIndex: new SqliteSearchIndex(database, { longPuts, longSearches }),
    accounts: new SqliteAccountRepository(database),
    sessions: new SqliteSessionRepository(database),
    accountTokens: new SqliteAccountTokenRepository(database),
    mailLedger: new SqliteMailLedger(database),
    idempotency: new SqliteIdempotencyRepository(database),
    agendaBackend: () => new SqliteAgendaBackend(database, notices),
    close: async () => {
      database.close();
      await Promise.all([longPuts.close(), longSearches.close()]);
    },
  };
};

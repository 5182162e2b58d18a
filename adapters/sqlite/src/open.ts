import { resolve } from 'node:path';
import { openDatabase, type DatabaseOptions } from './open-database.ts';
import { SqliteAccountRepository } from './repositories/sqlite-account-repository.ts';
import { SqliteAccountTokenRepository } from './repositories/sqlite-account-token-repository.ts';
import { SqliteDocumentRepository } from './repositories/sqlite-document-repository.ts';
import { SqliteIdempotencyRepository } from './repositories/sqlite-idempotency-repository.ts';
import { SqliteJobStore } from './repositories/sqlite-job-store.ts';
import { SqliteMailLedger } from './repositories/sqlite-mail-ledger.ts';
import { SqlitePageRepository } from './repositories/sqlite-page-repository.ts';
import { SqliteRevisionRepository } from './repositories/sqlite-revision-repository.ts';
import { SearchPool } from './search/search-pool.ts';
import { SqliteSearchIndex } from './search/sqlite-search-index.ts';
import { SqliteSessionRepository } from './repositories/sqlite-session-repository.ts';

/** The options of {@link openSqlite}. */
export interface SqliteOptions extends DatabaseOptions {
  readonly file: string; // created if it does not exist
  /**
   * Threads for searches, shared with other databases. Default: the database has its own threads, and `close` ends
   * them.
   */
  readonly searchPool?: SearchPool;
}

/** All stores of one database. They share one connection; searches and long index writes have their own. */
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
  readonly jobStore: SqliteJobStore;
  /**
   * Closes the connection at once and terminates the threads. Index writes of long texts and searches that are still
   * running throw `SERVICE_UNAVAILABLE`. Safe to repeat.
   */
  readonly close: () => Promise<void>;
}

/** Opens the database. Throws what `openDatabase` throws. */
export const openSqlite = async ({ file, searchPool, ...options }: SqliteOptions): Promise<Sqlite> => {
  const database = await openDatabase(file, options);
  const pool = searchPool ?? new SearchPool();
  return {
    documents: new SqliteDocumentRepository(database),
    pages: new SqlitePageRepository(database),
    revisions: new SqliteRevisionRepository(database),
    searchIndex: new SqliteSearchIndex(database, { file: resolve(file), options }, pool),
    accounts: new SqliteAccountRepository(database),
    sessions: new SqliteSessionRepository(database),
    accountTokens: new SqliteAccountTokenRepository(database),
    mailLedger: new SqliteMailLedger(database),
    idempotency: new SqliteIdempotencyRepository(database),
    jobStore: new SqliteJobStore(database),
    close: async () => {
      database.close();
      if (searchPool === undefined) await pool.close();
    },
  };
};

import type { Db } from 'mongodb';
import { accountIndexes, MongoAccountRepository } from './accounts/mongo-account-repository.ts';
import { accountTokenIndexes, MongoAccountTokenRepository } from './accounts/mongo-account-token-repository.ts';
import { idempotencyIndexes, MongoIdempotencyRepository } from './accounts/mongo-idempotency-repository.ts';
import { mailIndexes, MongoMailLedger } from './accounts/mongo-mail-ledger.ts';
import { MongoSessionRepository, sessionIndexes } from './accounts/mongo-session-repository.ts';
import { connectDatabase, type DatabaseOptions } from './database.ts';
import { documentIndexes, MongoDocumentRepository } from './documents/mongo-document-repository.ts';
import { MongoPageRepository, pageIndexes } from './documents/mongo-page-repository.ts';
import { MongoRevisionRepository, revisionIndexes } from './documents/mongo-revision-repository.ts';
import type { Indexes } from './indexes.ts';
import { jobIndexes, MongoJobStore } from './mongo-job-store.ts';
import { MongoSearchIndex, searchIndexes } from './search/mongo-search-index.ts';

/** The URL of the database (`mongodb://…` or `mongodb+srv://…`) and the timeouts. */
export interface MongoOptions extends DatabaseOptions {
  readonly url: string;
}

/** All stores of one database, on one connection pool. */
export interface Mongo {
  readonly documents: MongoDocumentRepository;
  readonly pages: MongoPageRepository;
  readonly revisions: MongoRevisionRepository;
  readonly searchIndex: MongoSearchIndex;
  readonly accounts: MongoAccountRepository;
  readonly sessions: MongoSessionRepository;
  readonly accountTokens: MongoAccountTokenRepository;
  readonly mailLedger: MongoMailLedger;
  readonly idempotency: MongoIdempotencyRepository;
  readonly jobStore: MongoJobStore;
  /** The database, for the rate counters. */
  readonly limiterClient: Db;
  /** Closes all connections. Later calls throw `SERVICE_UNAVAILABLE`. A second `close` has no effect. */
  readonly close: () => Promise<void>;
}

const indexes: Indexes = {
  ...documentIndexes,
  ...pageIndexes,
  ...revisionIndexes,
  ...searchIndexes,
  ...accountIndexes,
  ...sessionIndexes,
  ...accountTokenIndexes,
  ...mailIndexes,
  ...idempotencyIndexes,
  ...jobIndexes,
};

/**
 * Connects to the database and creates the missing indexes. Several processes may do so at the same time. Throws the
 * errors of `connectDatabase` and `Database.ensureIndexes`.
 */
export const openMongo = async ({ url, ...options }: MongoOptions): Promise<Mongo> => {
  const database = await connectDatabase(url, options);
  try {
    await database.ensureIndexes(indexes);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    documents: new MongoDocumentRepository(database),
    pages: new MongoPageRepository(database),
    revisions: new MongoRevisionRepository(database),
    searchIndex: new MongoSearchIndex(database),
    accounts: new MongoAccountRepository(database),
    sessions: new MongoSessionRepository(database),
    accountTokens: new MongoAccountTokenRepository(database),
    mailLedger: new MongoMailLedger(database),
    idempotency: new MongoIdempotencyRepository(database),
    jobStore: new MongoJobStore(database),
    limiterClient: database.db,
    close: () => database.close(),
  };
};

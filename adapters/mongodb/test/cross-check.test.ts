import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  accountModel,
  accountTokenModel,
  describeAgreement,
  documentModel,
  idempotencyModel,
  mailLedgerModel,
  pageModel,
  revisionModel,
  searchModel,
  sessionModel,
  type Contestant,
  type OperationModel,
} from '@palimpsest/contract-tests';
import type { Ports } from '@palimpsest/core';
import { openMemory } from '@palimpsest/memory';
import type { Mongo } from '@palimpsest/mongodb';
import { openSqlite, type Sqlite } from '@palimpsest/sqlite';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseForSuite } from './database-on-server.ts';

type Parts = Pick<Ports, keyof Ports & keyof Mongo & keyof Sqlite>;

const memory = <T>(part: (handle: Parts) => T): Contestant<T> => ({
  name: 'memory',
  open: async () => ({ subject: part(openMemory()), close: async () => {} }),
});

const sqlite = <T>(part: (handle: Parts) => T): Contestant<T> => ({
  name: 'SQLite',
  open: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cross-check-'));
    const handle = await openSqlite({ file: join(folder, 'palimpsest.db') });
    return {
      subject: part(handle),
      close: async () => {
        await handle.close();
        await rm(folder, { recursive: true });
      },
    };
  },
});

const removals = ['remove', 'removeAll', 'removeAllOf', 'removeOthers', 'release', 'close', 'forget'];
const silent = [
  ...removals,
  'put',
  'answer',
  'verifyEmail',
  'check',
  'find the unknown',
  'find for the other purpose',
];

await describeOnMongo('MongoDB beside the other adapters', (server) => {
  const database = databaseForSuite(server);

  const mongo = <T>(part: (handle: Parts) => T): Contestant<T> => ({
    name: 'MongoDB',
    open: async () => {
      const own = database();
      await own.clear();
      return { subject: part(await own.open()), close: () => own.closeAll() };
    },
  });

  const compared = <T>(port: string, model: OperationModel<T>, part: (handle: Parts) => T): void => {
    for (const first of [memory(part), sqlite(part)]) {
      describeAgreement(port, { model, first, second: mongo(part), silent });
    }
  };

  compared('DocumentRepository', documentModel, (handle) => handle.documents);
  compared('PageRepository', pageModel, (handle) => handle.pages);
  compared('RevisionRepository', revisionModel, (handle) => handle.revisions);
  compared('SearchIndex', searchModel, (handle) => handle.searchIndex);
  compared('AccountRepository', accountModel, (handle) => handle.accounts);
  compared('SessionRepository', sessionModel, (handle) => handle.sessions);
  compared('AccountTokenRepository', accountTokenModel, (handle) => handle.accountTokens);
  compared('IdempotencyRepository', idempotencyModel, (handle) => handle.idempotency);
  compared('MailLedger', mailLedgerModel, (handle) => handle.mailLedger);
});

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
import { openSqlite, type Sqlite } from '@palimpsest/sqlite';

/** The repositories that every database implements. */
export type Repositories = Pick<Ports, keyof Sqlite & keyof Ports>;

/** Selects the adapter of one port from the repositories. */
export type ContestantOf = <T>(part: (handle: Repositories) => T) => Contestant<T>;

/** Opens a database in a new folder. Closing it removes the folder. */
export const inFolder = async <H>(openIn: (folder: string) => Promise<H>, close: (handle: H) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), 'agreement-'));
  const handle = await openIn(folder);
  return {
    handle,
    close: async () => {
      await close(handle);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export const memoryContestant = <T>(part: (ports: Ports) => T): Contestant<T> => ({
  name: 'memory',
  open: async () => ({ subject: part(openMemory()), close: async () => {} }),
});

export const sqliteContestant: ContestantOf = (part) => ({
  name: 'SQLite',
  open: async () => {
    const { handle, close } = await inFolder(
      (folder) => openSqlite({ file: join(folder, 'palimpsest.db') }),
      (opened) => opened.close(),
    );
    return { subject: part(handle), close };
  },
});

/** Operations without a comparable result. */
export const silentOperations: readonly string[] = [
  'remove',
  'removeAll',
  'removeAllOf',
  'removeOthers',
  'release',
  'close',
  'forget',
  'put',
  'answer',
  'verifyEmail',
  'check',
  'find an unknown digest',
  'find for the other purpose',
];

/** Compares two databases with a thousand random operations on each repository. */
export const describeRepositoriesAgree = (
  first: ContestantOf,
  second: ContestantOf,
  seeds: readonly number[],
): void => {
  const compare = <T>(port: string, model: OperationModel<T>, part: (handle: Repositories) => T): void =>
    describeAgreement(port, { model, first: first(part), second: second(part), seeds, silent: silentOperations });

  compare('DocumentRepository', documentModel, (handle) => handle.documents);
  compare('PageRepository', pageModel, (handle) => handle.pages);
  compare('RevisionRepository', revisionModel, (handle) => handle.revisions);
  compare('SearchIndex', searchModel, (handle) => handle.searchIndex);
  compare('AccountRepository', accountModel, (handle) => handle.accounts);
  compare('SessionRepository', sessionModel, (handle) => handle.sessions);
  compare('AccountTokenRepository', accountTokenModel, (handle) => handle.accountTokens);
  compare('IdempotencyRepository', idempotencyModel, (handle) => handle.idempotency);
  compare('MailLedger', mailLedgerModel, (handle) => handle.mailLedger);
};

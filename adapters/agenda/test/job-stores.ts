import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobStore } from '@palimpsest/agenda';
import { openMongo } from '@palimpsest/mongodb';
import { openSqlite } from '@palimpsest/sqlite';
import { freshMongoDatabase, type MongoServer } from '../../../test/services/mongodb.ts';

export type StoreKind = 'sqlite' | 'mongodb';

/** An empty database for jobs. */
export interface JobDatabase {
  readonly kind: StoreKind;
  readonly location: string; // the file, or the URL
  /** A job store on a connection of its own. */
  connect(): Promise<JobStore>;
  closeAll(): Promise<void>;
  remove(): Promise<void>;
}

export const openStore = (
  kind: StoreKind,
  location: string,
): Promise<{ readonly jobStore: JobStore; readonly close: () => Promise<void> }> =>
  kind === 'sqlite' ? openSqlite({ file: location }) : openMongo({ url: location });

const jobDatabase = (kind: StoreKind, location: string, drop: () => Promise<void>): JobDatabase => {
  const open: { readonly close: () => Promise<void> }[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(open.splice(0).map((store) => store.close()));
  };
  return {
    kind,
    location,
    connect: async () => {
      const store = await openStore(kind, location);
      open.push(store);
      return store.jobStore;
    },
    closeAll,
    remove: async () => {
      await closeAll();
      await drop();
    },
  };
};

export const sqliteJobs = async (): Promise<JobDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-agenda-'));
  return jobDatabase('sqlite', join(folder, 'palimpsest.db'), () => rm(folder, { recursive: true, force: true }));
};

export const mongoJobs = async (server: MongoServer): Promise<JobDatabase> => {
  const { url, drop } = freshMongoDatabase(server);
  return jobDatabase('mongodb', url, drop);
};

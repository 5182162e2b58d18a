import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobStore } from '@palimpsest/job-store';
import { openStores, type DatabaseLocation } from '../../../test/processes/database.ts';
import { freshMongoDatabase, type MongoServer } from '../../../test/services/mongodb.ts';

/** An empty database for jobs. */
export interface JobDatabase extends DatabaseLocation {
  /** Opens a job store on its own connection. */
  connect(): Promise<JobStore>;
  closeAll(): Promise<void>;
  remove(): Promise<void>;
}

const jobDatabase = ({ kind, location }: DatabaseLocation, drop: () => Promise<void>): JobDatabase => {
  const open: { readonly close: () => Promise<void> }[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(open.splice(0).map((store) => store.close()));
  };
  return {
    kind,
    location,
    connect: async () => {
      const store = await openStores({ kind, location });
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
  const location = join(folder, 'palimpsest.db');
  return jobDatabase({ kind: 'sqlite', location }, () => rm(folder, { recursive: true, force: true }));
};

export const mongoJobs = async (server: MongoServer): Promise<JobDatabase> => {
  const { url, drop } = freshMongoDatabase(server);
  return jobDatabase({ kind: 'mongodb', location: url }, drop);
};

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMongo } from '@palimpsest/mongodb';
import { openSqlite } from '@palimpsest/sqlite';
import type { AgendaBackend } from 'agenda';
import { freshMongoDatabase, type MongoServer } from '../../../test/services/mongodb.ts';

export type StoreKind = 'sqlite' | 'mongodb';

/** A connection to a store of jobs. */
export interface Store {
  readonly agendaBackend: () => AgendaBackend;
  readonly close: () => Promise<void>;
}

/** A place for one store, which holds nothing yet. */
export interface Place {
  readonly kind: StoreKind;
  readonly location: string; // the file, or the URL of the database
  remove(): Promise<void>;
}

export const openStore = (kind: StoreKind, location: string): Promise<Store> =>
  kind === 'sqlite' ? openSqlite({ file: location }) : openMongo({ url: location });

export const sqlitePlace = async (): Promise<Place> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-agenda-'));
  return {
    kind: 'sqlite',
    location: join(folder, 'palimpsest.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

export const mongoPlace = async (server: MongoServer): Promise<Place> => {
  const { url, drop } = freshMongoDatabase(server);
  return { kind: 'mongodb', location: url, remove: drop };
};

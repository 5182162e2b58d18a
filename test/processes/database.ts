import type { Mongo } from '@palimpsest/mongodb';
import type { Sqlite } from '@palimpsest/sqlite';

export type DatabaseKind = 'sqlite' | 'mongodb';

/** A database as the arguments of a child process name it. */
export interface DatabaseLocation {
  readonly kind: DatabaseKind;
  readonly location: string; // the file, or the URL
}

/** Opens the stores of a database. Imports only its adapter, so that a child process starts fast. */
export const openStores = async ({ kind, location }: DatabaseLocation): Promise<Sqlite | Mongo> => {
  if (kind === 'sqlite') return await (await import('@palimpsest/sqlite')).openSqlite({ file: location });
  return await (await import('@palimpsest/mongodb')).openMongo({ url: location });
};

/** The database that the arguments of this process name, and the arguments after it. */
export const databaseOfArguments = (): readonly [DatabaseLocation, ...(readonly string[])] => {
  const [kind, location = '', ...more] = process.argv.slice(2);
  return [{ kind: kind === 'mongodb' ? kind : 'sqlite', location }, ...more];
};

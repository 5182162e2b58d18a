import type { Database } from '../database.ts';
import { documentsSchema } from './documents.ts';
import { jobsSchema } from './jobs.ts';
import { mailAndKeysSchema } from './mail-and-keys.ts';
import { searchPartsSchema } from './search-parts.ts';
import { searchSchema } from './search.ts';
import { signInSchema } from './sign-in.ts';

/** The steps from one version of the schema to the next. A released step must never change. */
const steps: readonly string[] = [
  documentsSchema,
  jobsSchema,
  mailAndKeysSchema,
  signInSchema,
  searchSchema,
  searchPartsSchema,
];

const versionOf = (database: Database): number =>
  database.one<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;

/** Upgrades the schema to the newest version, and makes commits durable. Throws if the schema is newer. */
export const migrate = async (database: Database): Promise<void> => {
  const found = await database.read(() => versionOf(database));
  if (found > steps.length) {
    throw new Error(
      `The database was written by a newer version of Palimpsest (schema ${found}; this version knows ${steps.length}). Run that version, or restore a backup.`,
    );
  }
  await database.setDurability();
  if (found === steps.length) return;
  await database.write(() => {
    // Another process may have upgraded the schema since the check above.
    for (let version = versionOf(database); version < steps.length; version++) {
      database.script(steps[version] ?? '');
      database.script(`PRAGMA user_version = ${version + 1}`);
    }
  });
};

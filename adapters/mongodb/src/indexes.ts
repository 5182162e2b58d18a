import { setTimeout as delay } from 'node:timers/promises';
import { MongoServerError, type Db, type IndexDescription } from 'mongodb';

/** Indexes by the collection that they belong to. Each has a name of its own. */
export type Indexes = Readonly<Record<string, readonly (IndexDescription & { readonly name: string })[]>>;

// What the server says of an index that is there in another form.
const CONFLICTS = new Set(['IndexOptionsConflict', 'IndexKeySpecsConflict']);
// What it may say when several processes make one collection or index at the same moment.
const RACES = new Set([
  'NamespaceExists',
  'WriteConflict',
  'ConflictingOperationInProgress',
  'IndexBuildAborted',
  'IndexBuildAlreadyInProgress',
]);
const TRIES = 10;
const DELAY_MS = 50;

const hasCodeName = (error: unknown, names: ReadonlySet<string>): error is MongoServerError =>
  error instanceof MongoServerError && names.has(error.codeName ?? '');

const makeIndex = async (db: Db, collection: string, index: Indexes[string][number]): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      await db.collection(collection).createIndexes([index]);
      return;
    } catch (error) {
      if (hasCodeName(error, CONFLICTS)) {
        throw new Error(
          `The index ${index.name} of the collection ${collection} is not the one that is needed: there is one of that name ` +
            'with other keys or options, or one of these keys with another name or options. Drop it, and start again.',
          { cause: error },
        );
      }
      if (tries === TRIES || !hasCodeName(error, RACES)) throw error;
    }
    await delay(Math.random() * DELAY_MS);
  }
};

/** Makes the indexes that are not there, one after the other. One in another form is an `Error` that names it. */
export const makeIndexes = async (db: Db, indexes: Indexes): Promise<void> => {
  for (const [collection, wanted] of Object.entries(indexes)) {
    for (const index of wanted) await makeIndex(db, collection, index);
  }
};

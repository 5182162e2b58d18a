import { MongoServerError, type Db, type IndexDescription } from 'mongodb';
import pRetry from 'p-retry';

/** Indexes by collection. Every index has a name. */
export type Indexes = Readonly<Record<string, readonly (IndexDescription & { readonly name: string })[]>>;

// An index with this name or these keys exists with other keys, options or another name.
const CONFLICTS = new Set(['IndexOptionsConflict', 'IndexKeySpecsConflict']);
// Several processes create the same collection or index at the same time.
const RACES = new Set([
  'NamespaceExists',
  'WriteConflict',
  'ConflictingOperationInProgress',
  'IndexBuildAborted',
  'IndexBuildAlreadyInProgress',
]);
const RETRIES = 9;
const SHORTEST_DELAY_MS = 25; // the longest one is twice as long

const hasCodeName = (error: unknown, names: ReadonlySet<string>): error is MongoServerError =>
  error instanceof MongoServerError && names.has(error.codeName ?? '');

const createIndex = async (db: Db, collection: string, index: Indexes[string][number]): Promise<void> => {
  try {
    await pRetry(() => db.collection(collection).createIndexes([index]), {
      retries: RETRIES,
      minTimeout: SHORTEST_DELAY_MS,
      factor: 1,
      randomize: true,
      shouldRetry: ({ error }) => hasCodeName(error, RACES),
    });
  } catch (error) {
    if (!hasCodeName(error, CONFLICTS)) throw error;
    throw new Error(
      `The collection ${collection} has a conflicting index: an index named ${index.name} with other keys or options, ` +
        `or an index with the keys of ${index.name} and another name or other options. Drop it, then restart.`,
      { cause: error },
    );
  }
};

/** Creates the missing indexes, one after the other. Throws an `Error` that names the index if a conflicting one exists. */
export const createIndexes = async (db: Db, indexes: Indexes): Promise<void> => {
  for (const [collection, wanted] of Object.entries(indexes)) {
    for (const index of wanted) await createIndex(db, collection, index);
  }
};

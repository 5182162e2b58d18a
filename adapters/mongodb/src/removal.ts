import type { Filter } from 'mongodb';
import { LATEST, type Database } from './database.ts';

const BATCH = 1000;

/** Removes the record with this id from a collection. Removing a record that does not exist succeeds. */
export const removeOne = (database: Database, name: string, _id: string): Promise<void> => {
  const collection = database.collection<{ _id: string }>(name);
  return database.write(async () => {
    for (;;) {
      const { deletedCount } = await collection.deleteOne({ _id });
      // A MongoDB-compatible server may overlook a record that another call changes at the same moment.
      if (deletedCount > 0 || !(await collection.findOne({ _id }, { ...LATEST, projection: { _id: 1 } }))) return;
    }
  });
};

/**
 * Removes all records that match `filter` from a collection, and returns their number. Works in batches, so that no
 * command exceeds the timeouts.
 */
export const removeInBatches = async (
  database: Database,
  name: string,
  filter: Filter<{ _id: string }>,
): Promise<number> => {
  const collection = database.collection<{ _id: string }>(name);
  for (let removed = 0; ;) {
    const found = await database.run(() =>
      collection.find(filter, { ...LATEST, projection: { _id: 1 }, limit: BATCH }).toArray(),
    );
    const ids = found.map(({ _id }) => _id);
    if (ids.length > 0) {
      removed += await database.write(async (isRetry) => {
        const { deletedCount } = await collection.deleteMany({ $and: [filter, { _id: { $in: ids } }] });
        // The count of a retry lacks the records that the first attempt removed.
        return isRetry ? ids.length : deletedCount;
      });
    }
    if (ids.length < BATCH) return removed;
  }
};

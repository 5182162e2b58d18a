import type { Filter } from 'mongodb';
import { LATEST, type Database } from './database.ts';

const BATCH = 1000;

/**
 * Removes what `filter` finds in a collection, some at a time, so that no command takes longer than the time-outs allow
 * however many there are; resolves with how many.
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
      removed += await database.write(async (again) => {
        const { deletedCount } = await collection.deleteMany({ $and: [filter, { _id: { $in: ids } }] });
        // What an earlier try removed was not counted.
        return again ? ids.length : deletedCount;
      });
    }
    if (ids.length < BATCH) return removed;
  }
};

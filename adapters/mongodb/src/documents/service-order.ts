import type { Collection } from 'mongodb';
import { LATEST, type Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import type { Indexes } from '../indexes.ts';

const OWNERS = 'owners';

interface OwnerRow {
  readonly _id: string;
  readonly lastServed: number; // the place of the owner's last claim in the order of all claims, from 1
}

export const ownerIndexes: Indexes = { [OWNERS]: [{ name: 'by_turn', key: { lastServed: 1 } }] };

/** The order in which owners were served. It outlives the documents. */
export class ServiceOrder {
  readonly #owners: Collection<OwnerRow>;

  constructor(database: Database) {
    this.#owners = database.collection(OWNERS);
  }

  /** Puts the owner behind all other owners. Owners that are served at the same time may get the same place. */
  async recordService(ownerId: string): Promise<void> {
    for (;;) {
      const last = await this.#owners.findOne({ lastServed: { $gte: 0 } }, { ...LATEST, sort: { lastServed: -1 } });
      const lastServed = (last?.lastServed ?? 0) + 1;
      try {
        await this.#owners.updateOne({ _id: ownerId }, { $max: { lastServed } }, { upsert: true });
        return;
      } catch (error) {
        // Another call inserted the owner at the same time.
        if (!isDuplicate(error)) throw error;
      }
    }
  }

  /** The last places of these owners. An owner that was never served is absent. */
  async lastServed(ownerIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#owners.find({ _id: { $in: [...ownerIds] } }, { projection: { lastServed: 1 } }).toArray();
    return new Map(rows.map(({ _id, lastServed }) => [_id, lastServed]));
  }
}

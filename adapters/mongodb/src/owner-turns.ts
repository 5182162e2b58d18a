import type { Collection } from 'mongodb';
import type { Database } from './database.ts';
import type { DocumentRow } from './document-row.ts';
import { isDuplicate } from './errors.ts';
import type { OwnerRow } from './waiting-owners.ts';

/**
 * In which order owners were served. A claim writes its turn into the document, in the same step; then the turn goes to
 * the owner's record, and then it leaves the document. Whoever looks for the next owner, or removes a document, first does
 * what a process that died left undone of this.
 */
export class OwnerTurns {
  readonly #owners: Collection<OwnerRow>;
  readonly #documents: Collection<DocumentRow>;

  constructor(database: Database, documents: Collection<DocumentRow>) {
    this.#owners = database.collection('owners');
    this.#documents = documents;
  }

  /** A turn after all that are known. Claims at the same moment may get the same one: none of them is the earlier. */
  async next(): Promise<number> {
    const [owner] = await this.#owners
      .find({ lastServed: { $gte: 0 } })
      .sort({ lastServed: -1 })
      .limit(1)
      .toArray();
    const [document] = await this.#documents
      .find({ turn: { $exists: true } }, { projection: { turn: 1 } })
      .sort({ turn: -1 })
      .limit(1)
      .toArray();
    return Math.max(owner?.lastServed ?? 0, document?.turn ?? 0) + 1;
  }

  /** Takes a turn over from a document into the record of its owner. May be repeated. */
  async settle(documentId: string, ownerId: string, turn: number): Promise<void> {
    for (let stored = false; !stored;) {
      try {
        await this.#owners.updateOne(
          { _id: ownerId },
          { $max: { lastServed: turn }, $setOnInsert: { stirs: false } },
          { upsert: true },
        );
        stored = true;
      } catch (error) {
        // Another process stored the owner's first turn at the same moment.
        if (!isDuplicate(error)) throw error;
      }
    }
    await this.#documents.updateOne({ _id: documentId, turn }, { $unset: { turn: '' } });
  }

  /** Takes over all turns that are still in documents. */
  async settleAll(): Promise<void> {
    const rows = await this.#documents
      .find({ turn: { $exists: true } }, { projection: { turn: 1, 'record.ownerId': 1 } })
      .toArray();
    for (const { _id, turn, record } of rows) if (turn !== undefined) await this.settle(_id, record.ownerId, turn);
  }

  /** In which turn each of these owners was served last; who never was is left out. */
  async of(ownerIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#owners.find({ _id: { $in: [...ownerIds] } }, { projection: { lastServed: 1 } }).toArray();
    return new Map(rows.map(({ _id, lastServed }) => [_id, lastServed]));
  }
}

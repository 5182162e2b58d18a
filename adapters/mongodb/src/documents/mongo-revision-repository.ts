import { randomUUID } from 'node:crypto';
import { revisionConflict, type Revision, type RevisionRepository } from '@palimpsest/core';
import type { Collection } from 'mongodb';
import { LATEST, type Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import type { Indexes } from '../indexes.ts';
import { removeInBatches } from '../removal.ts';

const REVISIONS = 'revisions';

interface Row extends Revision {
  readonly _id: string; // a random id of the call that stored the revision
  readonly documentId: string;
}

const revisionOf = ({ number, revisedAt, text }: Row): Revision => ({ number, revisedAt, text });

export const revisionIndexes: Indexes = {
  [REVISIONS]: [{ name: 'of_document', key: { documentId: 1, number: -1 }, unique: true }],
};

/** Revisions in MongoDB, one MongoDB document each. A text may have up to 15 MiB in UTF-8. */
export class MongoRevisionRepository implements RevisionRepository {
  readonly #database: Database;
  readonly #revisions: Collection<Row>;

  constructor(database: Database) {
    this.#database = database;
    this.#revisions = database.collection(REVISIONS);
  }

  append(
    documentId: string,
    { revisedAt, text }: Omit<Revision, 'number'>,
    expectedNewest?: number,
  ): Promise<Revision> {
    const _id = randomUUID();
    return this.#database.write(async (isRetry) => {
      for (let mayBeStored = isRetry; ; mayBeStored = true) {
        const own = mayBeStored ? await this.#revisions.findOne({ _id }, LATEST) : null;
        if (own) return revisionOf(own);
        const newest = await this.#newestNumber(documentId);
        if (expectedNewest !== undefined && expectedNewest !== newest) throw revisionConflict();
        const number = newest + 1;
        try {
          await this.#revisions.insertOne({ _id, documentId, number, revisedAt, text });
          return { number, revisedAt, text };
        } catch (error) {
          // Another call took the number, or an earlier attempt took effect after the check above.
          if (!isDuplicate(error)) throw error;
        }
      }
    });
  }

  async newest(documentId: string): Promise<Revision | undefined> {
    if (!documentId.isWellFormed()) return undefined;
    const row = await this.#database.run(() => this.#revisions.findOne({ documentId }, { sort: { number: -1 } }));
    return row ? revisionOf(row) : undefined;
  }

  async find(documentId: string, number: number): Promise<Revision | undefined> {
    if (!documentId.isWellFormed() || !Number.isSafeInteger(number)) return undefined;
    const row = await this.#database.run(() => this.#revisions.findOne({ documentId, number }));
    return row ? revisionOf(row) : undefined;
  }

  async list(documentId: string): Promise<readonly Revision[]> {
    if (!documentId.isWellFormed()) return [];
    const rows = await this.#database.run(() => this.#revisions.find({ documentId }).sort({ number: -1 }).toArray());
    return rows.map(revisionOf);
  }

  async removeAll(documentId: string): Promise<void> {
    if (documentId.isWellFormed()) await removeInBatches(this.#database, REVISIONS, { documentId });
  }

  async #newestNumber(documentId: string): Promise<number> {
    const row = await this.#revisions.findOne(
      { documentId },
      { ...LATEST, sort: { number: -1 }, projection: { number: 1, _id: 0 } },
    );
    return row?.number ?? 0;
  }
}

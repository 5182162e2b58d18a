import type { Instant } from '@palimpsest/core';
import type { Collection } from 'mongodb';
import type { Database } from './database.ts';
import type { DocumentRow } from './document-row.ts';
import { isDuplicate } from './errors.ts';
import type { Indexes } from './indexes.ts';

// Longer than any write is under way that was begun after its owner was marked.
const SETTLED_MS = 600_000;
// The first one asked is mostly the one.
const LOOKS = [1, 10, 100];

export interface OwnerRow {
  readonly _id: string;
  readonly lastServed: number; // the turn; 0: never
  readonly stirs: boolean; // marked
  readonly stirredAt?: Date; // when one of their documents was about to become claimable
}

/** What is known of the first owner who has a document that is due. */
export type FirstWithDue = { readonly ownerId: string } | 'none' | 'unknown';

export const ownerIndexes: Indexes = {
  owners: [
    { name: 'by_turn', key: { lastServed: 1 } },
    { name: 'waiting_by_turn', key: { stirs: 1, lastServed: 1, _id: 1 } },
  ],
};

/**
 * Who has documents that are or will be claimable, in the order in which they are to be served. An owner is marked before a
 * document of theirs becomes claimable, so that none is missing, whoever dies; and the mark is taken away when there is no
 * such document and it is so old that none can be on its way.
 */
export class WaitingOwners {
  readonly #owners: Collection<OwnerRow>;
  readonly #documents: Collection<DocumentRow>;

  constructor(database: Database, documents: Collection<DocumentRow>) {
    this.#owners = database.collection('owners');
    this.#documents = documents;
  }

  /** Marks an owner. To be done before the document is stored as claimable. */
  async stir(ownerId: string): Promise<void> {
    for (;;) {
      try {
        await this.#owners.updateOne(
          { _id: ownerId },
          { $set: { stirs: true }, $currentDate: { stirredAt: true }, $setOnInsert: { lastServed: 0 } },
          { upsert: true },
        );
        return;
      } catch (error) {
        // Another call stored the owner at the same moment.
        if (!isDuplicate(error)) throw error;
      }
    }
  }

  /**
   * The first owner by their turns, `busy` ones left out, who has a document that is due; `none` if no such owner has, and
   * `unknown` if none of the first hundred or so has.
   */
  async firstWithDue(now: Instant, busy: readonly string[]): Promise<FirstWithDue> {
    let last: OwnerRow | undefined;
    for (const limit of LOOKS) {
      const rows = await this.#owners
        .find({ stirs: true, ...(last === undefined ? {} : after(last)) })
        .sort({ lastServed: 1, _id: 1 })
        .limit(limit)
        .toArray();
      const free = rows.filter(({ _id }) => !busy.includes(_id));
      const due = await this.withDocument(
        now,
        free.map(({ _id }) => _id),
      );
      const first = free.find(({ _id }) => due.has(_id));
      if (first !== undefined) return { ownerId: first._id };
      await this.#forgetIdle(free);
      if (rows.length < limit) return 'none';
      last = rows.at(-1);
    }
    return 'unknown';
  }

  /** Which of these owners have a document that may be claimed at `latest`. */
  async withDocument(latest: Instant, ownerIds: readonly string[]): Promise<ReadonlySet<string>> {
    const [first] = ownerIds;
    if (first === undefined) return new Set();
    if (ownerIds.length > 1) {
      return new Set(
        await this.#documents.distinct('record.ownerId', {
          'record.ownerId': { $in: ownerIds },
          claimAt: { $lte: latest },
        }),
      );
    }
    const row = await this.#documents.findOne(
      { 'record.ownerId': first, claimAt: { $lte: latest } },
      { projection: { _id: 1 } },
    );
    return new Set(row ? ownerIds : []);
  }

  async #forgetIdle(rows: readonly OwnerRow[]): Promise<void> {
    const settled = rows.filter(
      ({ stirredAt }) => stirredAt !== undefined && stirredAt.getTime() < Date.now() - SETTLED_MS,
    );
    if (settled.length === 0) return;
    const waiting = await this.withDocument(
      Number.MAX_SAFE_INTEGER,
      settled.map(({ _id }) => _id),
    );
    for (const { _id, stirredAt } of settled) {
      if (stirredAt !== undefined && !waiting.has(_id))
        await this.#owners.updateOne({ _id, stirredAt }, { $set: { stirs: false } });
    }
  }
}

/** What comes after an owner in the order of turns. */
const after = ({ _id, lastServed }: OwnerRow) => ({
  $or: [{ lastServed: { $gt: lastServed } }, { lastServed, _id: { $gt: _id } }],
});

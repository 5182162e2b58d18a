import { randomUUID } from 'node:crypto';
import type { Document, DocumentRepository, Instant, Page, PageRequest } from '@palimpsest/core';
import type { Collection, Filter } from 'mongodb';
import { LATEST, unknownOutcome, type Database } from './database.ts';
import { documentOf, fieldsOf, type DocumentRow } from './document-row.ts';
import { isDuplicate } from './errors.ts';
import type { Indexes } from './indexes.ts';
import { OwnerTurns } from './owner-turns.ts';
import { ownerIndexes, WaitingOwners } from './waiting-owners.ts';

const DOCUMENTS = 'documents';
const KEYS_AT_ONCE = 1000;

export const documentIndexes: Indexes = {
  [DOCUMENTS]: [
    { name: 'listed', key: { 'record.ownerId': 1, listed: 1, 'record.receivedAt': -1, _id: -1 } },
    { name: 'claimable', key: { claimAt: 1 }, sparse: true },
    { name: 'claimable_of_owner', key: { 'record.ownerId': 1, claimAt: 1 } },
    { name: 'claimable_in_order', key: { 'record.ownerId': 1, waits: 1, 'record.receivedAt': 1, _id: 1, claimAt: 1 } },
    { name: 'held', key: { 'record.status': 1, claimAt: 1, 'record.ownerId': 1 } },
    { name: 'purgeable', key: { 'record.purgeAfter': 1 }, sparse: true },
    { name: 'by_blob', key: { 'record.blobKey': 1 } },
    { name: 'unsettled', key: { turn: 1 }, sparse: true },
  ],
  ...ownerIndexes,
};

/** Document records in MongoDB. */
export class MongoDocumentRepository implements DocumentRepository {
  readonly #database: Database;
  readonly #documents: Collection<DocumentRow>;
  readonly #turns: OwnerTurns;
  readonly #waiting: WaitingOwners;

  constructor(database: Database) {
    this.#database = database;
    this.#documents = database.collection(DOCUMENTS);
    this.#turns = new OwnerTurns(database, this.#documents);
    this.#waiting = new WaitingOwners(database, this.#documents);
  }

  async add(document: Document): Promise<void> {
    const call = randomUUID();
    const row: DocumentRow = { _id: document.id, ...fieldsOf(document), addedBy: call, changedBy: call };
    const stored = await this.#database.write(async () => {
      try {
        if (row.claimAt !== undefined) await this.#waiting.stir(document.ownerId);
        await this.#documents.insertOne(row);
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return (await this.#documents.findOne({ _id: document.id }, LATEST))?.addedBy === call;
      }
    });
    if (!stored) throw new TypeError('The document id is taken');
  }

  // A lone surrogate is stored as U+FFFD, which must not find a document of another name.
  async find(id: string): Promise<Document | undefined> {
    if (!id.isWellFormed()) return undefined;
    const row = await this.#database.run(() => this.#documents.findOne({ _id: id }));
    return row ? documentOf(row) : undefined;
  }

  /**
   * As the port says. Where the list is longer than the part of it that is wanted, its length is counted on an index: some
   * tens of milliseconds for 100,000 documents of one owner.
   */
  async list(ownerId: string, { limit, offset }: PageRequest): Promise<Page<Document>> {
    if (!ownerId.isWellFormed()) return { items: [], total: 0 };
    const filter: Filter<DocumentRow> = { 'record.ownerId': ownerId, listed: true };
    return await this.#database.run(async () => {
      const rows = await this.#documents
        .find(filter)
        .sort({ 'record.receivedAt': -1, _id: -1 })
        .skip(offset)
        .limit(limit)
        .toArray();
      const seen = rows.length === 0 ? 0 : offset + rows.length;
      const isEnd = rows.length < limit && (rows.length > 0 || offset === 0);
      const total = isEnd ? seen : Math.max(seen, await this.#documents.countDocuments(filter));
      return { items: rows.map(documentOf), total };
    });
  }

  async replace(next: Document): Promise<boolean> {
    if (!next.id.isWellFormed()) return false;
    const changedBy = randomUUID();
    return await this.#database.write(async (again) => {
      const done = again ? await this.#wasDone(next, changedBy) : undefined;
      if (done !== undefined) return done;
      if (await this.#store(next, changedBy)) return true;
      // The earlier try may have come to its end since that look.
      return again && (await this.#wasDone(next, changedBy)) === true;
    });
  }

  nextClaimable(now: Instant): Promise<Document | undefined> {
    return this.#database.run(async () => {
      for (;;) {
        const ownerId = await this.#nextOwner(now);
        if (ownerId === undefined) return undefined;
        const row = await this.#documents.findOne(
          { 'record.ownerId': ownerId, waits: true, claimAt: { $lte: now } },
          { sort: { 'record.receivedAt': 1, _id: 1 } },
        );
        // None is left if others have claimed them meanwhile.
        if (row) return documentOf(row);
      }
    });
  }

  async findPurgeable(now: Instant, limit: number): Promise<readonly Document[]> {
    return await this.#some({ 'record.purgeAfter': { $lte: now } }, { 'record.purgeAfter': 1 }, limit);
  }

  async scan(after: string | undefined, limit: number): Promise<readonly Document[]> {
    return await this.#some({ _id: after === undefined ? { $gte: '' } : { $gt: after } }, { _id: 1 }, limit);
  }

  async referencedBlobs(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const asked = keys.filter((key) => key.isWellFormed());
    const found = new Set<string>();
    for (let i = 0; i < asked.length; i += KEYS_AT_ONCE) {
      const rows = await this.#database.run(() =>
        this.#documents
          .find(
            { 'record.blobKey': { $in: asked.slice(i, i + KEYS_AT_ONCE) } },
            { projection: { _id: 0, 'record.blobKey': 1 } },
          )
          .toArray(),
      );
      for (const { record } of rows) found.add(record.blobKey);
    }
    return found;
  }

  async remove(id: string): Promise<void> {
    if (!id.isWellFormed()) return;
    await this.#database.write(async () => {
      for (;;) {
        const { deletedCount } = await this.#documents.deleteOne({ _id: id, turn: { $exists: false } });
        const row = deletedCount > 0 ? null : await this.#documents.findOne({ _id: id }, LATEST);
        if (!row) return;
        if (row.turn !== undefined) await this.#turns.settle(id, row.record.ownerId, row.turn);
      }
    });
  }

  async check(): Promise<void> {
    await this.#database.run(() => this.#documents.findOne({ _id: '' }, { projection: { _id: 1 } }));
  }

  async #some(
    filter: Filter<DocumentRow>,
    order: Readonly<Record<string, 1>>,
    limit: number,
  ): Promise<readonly Document[]> {
    // To MongoDB, 0 is no limit.
    if (limit < 1) return [];
    const rows = await this.#database.run(() => this.#documents.find(filter).sort(order).limit(limit).toArray());
    return rows.map(documentOf);
  }

  async #store(next: Document, changedBy: string): Promise<boolean> {
    if (next.status === 'processing') return await this.#hold(next, changedBy);
    if (next.status === 'queued') await this.#waiting.stir(next.ownerId);
    return await this.#change(next, changedBy, {});
  }

  /** Stores `next`, and `more` beside it, if the version before it is stored, and `condition` holds of that. */
  async #change(
    next: Document,
    changedBy: string,
    condition: Filter<DocumentRow>,
    more: { readonly turn?: number } = {},
  ): Promise<boolean> {
    const fields = fieldsOf(next);
    const { matchedCount } = await this.#documents.updateOne(
      { ...condition, _id: next.id, 'record.version': next.version - 1 },
      { $set: { ...fields, ...more, changedBy }, ...(fields.claimAt === undefined ? { $unset: { claimAt: '' } } : {}) },
    );
    return matchedCount > 0;
  }

  /** Stores a document in the hands of a worker: a renewed lease, which is not a new turn of its owner, or a new one. */
  async #hold(next: Document & { readonly status: 'processing' }, changedBy: string): Promise<boolean> {
    if (await this.#change(next, changedBy, { 'record.lease.token': next.lease.token })) return true;
    await this.#waiting.stir(next.ownerId);
    const turn = await this.#turns.next();
    const claimed = await this.#change(next, changedBy, { 'record.lease.token': { $ne: next.lease.token } }, { turn });
    if (claimed) await this.#turns.settle(next.id, next.ownerId, turn);
    return claimed;
  }

  /** Whether an earlier try of the call has stored `next`; `undefined` if it has not, and the next one may. */
  async #wasDone(next: Document, changedBy: string): Promise<boolean | undefined> {
    const row = await this.#documents.findOne({ _id: next.id }, LATEST);
    if (row?.changedBy === changedBy) {
      if (row.turn !== undefined) await this.#turns.settle(next.id, next.ownerId, row.turn);
      return true;
    }
    // Another version stands where this one would, and may have been built upon it.
    if (!row || row.record.version > next.version) throw unknownOutcome();
    return row.record.version === next.version ? false : undefined;
  }

  async #nextOwner(now: Instant): Promise<string | undefined> {
    await this.#turns.settleAll();
    const held = new Map<string, number>();
    const inWork = { 'record.status': 'processing', claimAt: { $gt: now } } as const;
    for await (const { record } of this.#documents.find(inWork, { projection: { _id: 0, 'record.ownerId': 1 } })) {
      held.set(record.ownerId, (held.get(record.ownerId) ?? 0) + 1);
    }
    const busy = [...held.keys()];
    const first = await this.#waiting.firstWithDue(now, busy);
    if (typeof first === 'object') return first.ownerId;
    const busyWithDue = first === 'none' ? await this.#waiting.withDocument(now, busy) : new Set<string>();
    return await this.#firstOf(busyWithDue.size > 0 ? [...busyWithDue] : await this.#allWithDue(now), held);
  }

  async #allWithDue(now: Instant): Promise<readonly string[]> {
    // Every owner is one of these; that owners are asked for at all has the index of theirs serve it, one step for each.
    return await this.#documents.distinct('record.ownerId', { 'record.ownerId': { $gte: '' }, claimAt: { $lte: now } });
  }

  /** The owner who holds the fewest documents, and of several the one who was served longest ago. */
  async #firstOf(owners: readonly string[], held: ReadonlyMap<string, number>): Promise<string | undefined> {
    const turns = owners.length < 2 ? new Map<string, number>() : await this.#turns.of(owners);
    const rank = (ownerId: string) => [held.get(ownerId) ?? 0, turns.get(ownerId) ?? 0] as const;
    return owners.toSorted((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1])[0];
  }
}

import { randomUUID } from 'node:crypto';
import type { Document, DocumentRepository, Instant, Page, PageRequest } from '@palimpsest/core';
import type { Collection, Filter } from 'mongodb';
import { LATEST, unknownOutcome, type Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import type { Indexes } from '../indexes.ts';
import { removeOne } from '../removal.ts';
import { documentOf, fieldsOf, type DocumentRow } from './document-row.ts';
import { ownerIndexes, ServiceOrder } from './service-order.ts';

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
  ],
  ...ownerIndexes,
};

/** One call of `replace`, over all its attempts. */
interface ReplaceCall {
  readonly id: string;
  isClaim: boolean; // an attempt tried to store a new lease
}

/** Document records in MongoDB. */
export class MongoDocumentRepository implements DocumentRepository {
  readonly #database: Database;
  readonly #documents: Collection<DocumentRow>;
  readonly #serviceOrder: ServiceOrder;

  constructor(database: Database) {
    this.#database = database;
    this.#documents = database.collection(DOCUMENTS);
    this.#serviceOrder = new ServiceOrder(database);
  }

  async add(document: Document): Promise<void> {
    const call = randomUUID();
    const row: DocumentRow = { _id: document.id, ...fieldsOf(document), addedBy: call, changedBy: call };
    const stored = await this.#database.write(async () => {
      try {
        await this.#documents.insertOne(row);
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return (await this.#documents.findOne({ _id: document.id }, LATEST))?.addedBy === call;
      }
    });
    if (!stored) throw new TypeError('The document id is already in use');
  }

  // MongoDB stores a lone surrogate as U+FFFD, so such an id could find another document.
  async find(id: string): Promise<Document | undefined> {
    if (!id.isWellFormed()) return undefined;
    const row = await this.#database.run(() => this.#documents.findOne({ _id: id }));
    return row ? documentOf(row) : undefined;
  }

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
    const call: ReplaceCall = { id: randomUUID(), isClaim: false };
    return await this.#database.write(async (isRetry) => {
      let isStored = isRetry ? await this.#wasStored(next, call) : undefined;
      isStored ??= await this.#store(next, call);
      // An earlier attempt may have taken effect after the check above.
      if (!isStored && isRetry) isStored = (await this.#wasStored(next, call)) === true;
      // If the process crashes before this write, the only effect is that the owner is served once more before other
      // owners.
      if (isStored && call.isClaim) await this.#serviceOrder.recordService(next.ownerId);
      return isStored;
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
        // Other workers may have claimed the owner's last due document since.
        if (row) return documentOf(row);
      }
    });
  }

  async findPurgeable(now: Instant, limit: number): Promise<readonly Document[]> {
    return await this.#findUpTo({ 'record.purgeAfter': { $lte: now } }, { 'record.purgeAfter': 1 }, limit);
  }

  async scan(after: string | undefined, limit: number): Promise<readonly Document[]> {
    return await this.#findUpTo({ _id: after === undefined ? { $gte: '' } : { $gt: after } }, { _id: 1 }, limit);
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
    if (id.isWellFormed()) await removeOne(this.#database, DOCUMENTS, id);
  }

  async check(): Promise<void> {
    await this.#database.run(() => this.#documents.findOne({ _id: '' }, { projection: { _id: 1 } }));
  }

  async #findUpTo(
    filter: Filter<DocumentRow>,
    order: Readonly<Record<string, 1>>,
    limit: number,
  ): Promise<readonly Document[]> {
    // For MongoDB, a limit of 0 means no limit.
    if (limit < 1) return [];
    const rows = await this.#database.run(() => this.#documents.find(filter).sort(order).limit(limit).toArray());
    return rows.map(documentOf);
  }

  async #store(next: Document, call: ReplaceCall): Promise<boolean> {
    if (next.status !== 'processing') return await this.#update(next, call, {});
    const { token } = next.lease;
    if (await this.#update(next, call, { 'record.lease.token': token })) return true;
    call.isClaim = true;
    return await this.#update(next, call, { 'record.lease.token': { $ne: token } });
  }

  /** Stores `next` if the stored document is the version before and fulfils `condition`. */
  async #update(next: Document, { id }: ReplaceCall, condition: Filter<DocumentRow>): Promise<boolean> {
    const fields = fieldsOf(next);
    const { matchedCount } = await this.#documents.updateOne(
      { ...condition, _id: next.id, 'record.version': next.version - 1 },
      {
        $set: { ...fields, changedBy: id },
        ...(fields.claimAt === undefined ? { $unset: { claimAt: '' } } : {}),
      },
    );
    return matchedCount > 0;
  }

  /** Whether an earlier attempt of the call stored `next`; `undefined`: not yet, and a new attempt can succeed. */
  async #wasStored(next: Document, { id }: ReplaceCall): Promise<boolean | undefined> {
    const row = await this.#documents.findOne({ _id: next.id }, LATEST);
    if (row?.changedBy === id) return true;
    // A later version may follow the version that an earlier attempt stored.
    if (!row || row.record.version > next.version) throw unknownOutcome();
    return row.record.version === next.version ? false : undefined;
  }

  /**
   * The owner whose document is next: the one with the fewest held documents; among equals, the one served longest ago.
   */
  async #nextOwner(now: Instant): Promise<string | undefined> {
    // The common case of an empty queue: it must not read an index entry of every owner.
    const due = await this.#documents.findOne({ claimAt: { $lte: now } }, { projection: { _id: 1 } });
    if (!due) return undefined;
    // With a condition on the owner, MongoDB reads only one index entry per owner.
    const ownerIds = await this.#documents.distinct('record.ownerId', {
      'record.ownerId': { $gte: '' },
      claimAt: { $lte: now },
    });
    if (ownerIds.length < 2) return ownerIds[0];
    const held = await this.#countHeld(now);
    const lastServed = await this.#serviceOrder.lastServed(ownerIds);
    const rank = (ownerId: string) => [held.get(ownerId) ?? 0, lastServed.get(ownerId) ?? 0] as const;
    return ownerIds.toSorted((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1])[0];
  }

  /** The number of documents with an unexpired lease, by owner. */
  async #countHeld(now: Instant): Promise<ReadonlyMap<string, number>> {
    const held = new Map<string, number>();
    const unexpired = { 'record.status': 'processing', claimAt: { $gt: now } } as const;
    for await (const { record } of this.#documents.find(unexpired, { projection: { _id: 0, 'record.ownerId': 1 } })) {
      held.set(record.ownerId, (held.get(record.ownerId) ?? 0) + 1);
    }
    return held;
  }
}

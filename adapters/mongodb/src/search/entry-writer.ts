import { randomUUID } from 'node:crypto';
import type { SearchEntry } from '@palimpsest/core';
import { LATEST } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import {
  contentOf,
  wordFields,
  type EntryContent,
  type EntryRecord,
  type SearchRecords,
  type WordField,
} from './entry-records.ts';
import { segmentsOf, type Segment, type SegmentLimits } from './segments.ts';

// Small, because removing a part from the text index takes as long as inserting it.
const REMOVE_BATCH = 4;

type FieldSegment = Segment & { readonly field: WordField };
type NewRecord = Omit<EntryRecord, '_id' | 'state'>;

async function* fieldSegments(
  entry: SearchEntry,
  limits: SegmentLimits,
): AsyncGenerator<FieldSegment, void, undefined> {
  for (const field of wordFields)
    for await (const segment of segmentsOf(entry[field], limits)) yield { field, ...segment };
}

/** Whether all segments of an entry fit in one record. */
const isShort = (segments: readonly FieldSegment[], { termsLength }: SegmentLimits): boolean =>
  new Set(segments.map(({ field }) => field)).size === segments.length &&
  segments.reduce((length, { terms }) => length + terms.length, 0) <= termsLength;

const shortContent = (entry: SearchEntry, segments: readonly FieldSegment[]): EntryContent => {
  const wordsIn = (wanted: WordField): string => segments.find(({ field }) => field === wanted)?.words ?? '';
  const words = { title: wordsIn('title'), filename: wordsIn('filename'), text: wordsIn('text') };
  const terms = segments.map((segment) => segment.terms).join(' ');
  return { ...contentOf(entry), length: words.text.length, isLong: false, words, terms };
};

/** Stores and removes entries. A concurrent search finds the old or the new version of an entry, never a mixture. */
export class EntryWriter {
  readonly #records: SearchRecords;
  readonly #limits: SegmentLimits;

  constructor(records: SearchRecords, limits: SegmentLimits) {
    this.#records = records;
    this.#limits = limits;
  }

  async put(entry: SearchEntry): Promise<void> {
    const segments = fieldSegments(entry, this.#limits);
    const first: FieldSegment[] = [];
    let next = await segments.next();
    // A short entry has at most one segment per field.
    for (; next.done !== true && first.length < wordFields.length; next = await segments.next()) first.push(next.value);
    if (next.done !== true) first.push(next.value);
    else if (isShort(first, this.#limits) && (await this.#switchTo(entry, shortContent(entry, first)))) return;
    await this.#putLong(entry, first, segments);
  }

  async remove(documentId: string): Promise<void> {
    const removed = await this.#change(documentId, (stored) => {
      if (stored === undefined) return 'unchanged';
      const dropped = this.#obsoletePuts(stored, Infinity);
      return dropped.length === 0 ? 'removed' : { pending: [], dropped };
    });
    if (removed !== undefined) {
      await this.#removeParts(removed.dropped);
      // If another call has put the entry since, the record has another state and stays.
      await this.#records.entries.deleteOne({ _id: removed._id, state: removed.state });
    }
    await this.#removeStrays(documentId);
  }

  async #putLong(entry: SearchEntry, first: readonly FieldSegment[], rest: AsyncIterable<FieldSegment>): Promise<void> {
    const put = randomUUID();
    const registered = await this.#change(entry.documentId, (stored) => {
      if (stored?.version !== undefined && stored.version > entry.version) return 'unchanged';
      return {
        ...stored,
        pending: [...(stored?.pending ?? []), { put, version: entry.version }],
        dropped: stored?.dropped ?? [],
      };
    });
    if (registered === undefined) return;
    let count = 0;
    let length = 0;
    const store = async ({ field, ...segment }: FieldSegment): Promise<void> => {
      if (field === 'text') length += segment.words.length;
      await this.#records.parts.insertOne({
        _id: `${put}:${count++}`,
        documentId: entry.documentId,
        ownerId: entry.ownerId,
        put,
        field,
        ...segment,
      });
    };
    for (const segment of first) await store(segment);
    for await (const segment of rest) await store(segment);
    if (!(await this.#switchTo(entry, { ...contentOf(entry), length, isLong: true, put })))
      await this.#removeParts([put]);
  }

  /**
   * Makes `content` the current content, and returns whether it did. It does not if a higher version is stored, or if a
   * concurrent put or removal has dropped the pending put: the result is as if that call had come directly after this one.
   * Nor does it replace a long entry by a short one. A search reads the long entries, the short ones, and the long ones
   * again. If an entry could become long and then short between these reads, the search would miss it.
   */
  async #switchTo(entry: SearchEntry, content: EntryContent): Promise<boolean> {
    const changed = await this.#change(entry.documentId, (stored) => {
      if (stored?.version !== undefined && stored.version > entry.version) return 'unchanged';
      const isRefused = content.isLong
        ? stored?.pending.some(({ put }) => put === content.put) !== true
        : stored?.isLong === true;
      if (isRefused) return 'unchanged';
      const dropped =
        stored === undefined ? [] : this.#obsoletePuts(stored, entry.version).filter((put) => put !== content.put);
      return { ...content, pending: stored?.pending.filter(({ version }) => version > entry.version) ?? [], dropped };
    });
    if (changed === undefined) return false;
    await this.#removeDropped(changed);
    return true;
  }

  /** The puts that are obsolete after a content of `version` is stored. */
  #obsoletePuts({ put, pending, dropped }: EntryRecord, version: number): readonly string[] {
    return [
      ...dropped,
      ...(put === undefined ? [] : [put]),
      ...pending.filter((each) => each.version <= version).map((each) => each.put),
    ];
  }

  /** Atomically replaces the stored record by the result of `nextOf`, and returns the new record if there is one. */
  async #change(
    documentId: string,
    nextOf: (stored: EntryRecord | undefined) => NewRecord | 'unchanged' | 'removed',
  ): Promise<EntryRecord | undefined> {
    // Each attempt fails only because another change succeeded.
    for (;;) {
      // A majority read could return an older state, which `#replace` would reject.
      const stored = await this.#records.entries.findOne({ _id: documentId }, LATEST);
      const next = nextOf(stored ?? undefined);
      if (next === 'unchanged') return undefined;
      if (next === 'removed') {
        if (await this.#replace(documentId, stored, undefined)) return undefined;
      } else {
        const record: EntryRecord = { ...next, _id: documentId, state: randomUUID() };
        if (await this.#replace(documentId, stored, record)) return record;
      }
    }
  }

  /** Replaces `stored` by `next`. Returns false if the record has changed since it was read. */
  async #replace(documentId: string, stored: EntryRecord | null, next: EntryRecord | undefined): Promise<boolean> {
    const { entries } = this.#records;
    const seen = { _id: documentId, state: stored?.state ?? '' };
    if (next === undefined) return (await entries.deleteOne(seen)).deletedCount === 1;
    if (stored !== null) return (await entries.replaceOne(seen, next)).matchedCount === 1;
    try {
      await entries.insertOne(next);
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  async #removeDropped({ _id, dropped }: EntryRecord): Promise<void> {
    if (dropped.length === 0) return;
    await this.#removeParts(dropped);
    await this.#records.entries.updateOne(
      { _id },
      { $pullAll: { dropped: [...dropped] }, $set: { state: randomUUID() } },
    );
  }

  /** Removes the parts of puts that are not registered, and so will never be current. */
  async #removeStrays(documentId: string): Promise<void> {
    // In this order, because a put is registered before its parts are stored.
    const puts: readonly string[] = await this.#records.parts.distinct('put', { documentId }, LATEST);
    if (puts.length === 0) return;
    const stored = await this.#records.entries.findOne({ _id: documentId }, LATEST);
    const registered = new Set(stored === null ? [] : this.#obsoletePuts(stored, Infinity));
    await this.#removeParts(puts.filter((put) => !registered.has(put)));
  }

  async #removeParts(puts: readonly string[]): Promise<void> {
    if (puts.length === 0) return;
    const { parts } = this.#records;
    for (;;) {
      const found = await parts
        .find({ put: { $in: [...puts] } }, { ...LATEST, projection: { _id: 1 }, limit: REMOVE_BATCH })
        .toArray();
      if (found.length > 0) await parts.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      if (found.length < REMOVE_BATCH) return;
    }
  }
}

import {
  AppError,
  type Page,
  type PageRequest,
  type SearchEntry,
  type SearchIndex,
  type SearchQuery,
} from '@palimpsest/core';
import type { Database } from '../database.ts';
import { searchRecords, type SearchRecords } from './entry-records.ts';
import { EntryWriter } from './entry-writer.ts';
import { areSame, LongEntries } from './long-entries.ts';
import { mergedPage, neededOf } from './ranking.ts';
import { SEGMENT_LIMITS, type SegmentLimits } from './segments.ts';
import { ShortEntries } from './short-entries.ts';
import { isTimeOver, TimeLeft, tooLong } from './deadline.ts';

export { searchIndexes } from './entry-records.ts';

const SEARCH_MS = 5000;
// So many characters are looked through to rank what was found, once for each term.
const COUNTED_CHARACTERS = 64 * 1024 * 1024;

/** What tests make smaller. */
export interface SearchIndexOptions {
  readonly searchMs?: number; // after which a search is refused
  readonly limits?: SegmentLimits;
}

/**
 * A search index on MongoDB's text indexes, which find the entries of an owner that have a word; whether they match, and in
 * which order they come, the server decides by the words themselves. Entries that do not fit in one record are in several.
 * The order is by how many of the terms are in the title, then by how many are in the file name, then by how often they are
 * in the text for its length. How often does not count where that were more than 64 Mi characters to look through, once for
 * each term. A search that takes longer than 5 s is refused, and so is a phrase of more than 3000 words.
 */
export class MongoSearchIndex implements SearchIndex {
  readonly #database: Database;
  readonly #records: SearchRecords;
  readonly #writer: EntryWriter;
  readonly #searchMs: number;
  readonly #phraseTokens: number;

  constructor(database: Database, { searchMs = SEARCH_MS, limits = SEGMENT_LIMITS }: SearchIndexOptions = {}) {
    this.#database = database;
    this.#records = searchRecords(database);
    this.#writer = new EntryWriter(this.#records, limits);
    this.#searchMs = searchMs;
    this.#phraseTokens = limits.phraseTokens;
  }

  async put({ documentId, ownerId, receivedAt, version, title, filename, text }: SearchEntry): Promise<void> {
    // BSON has U+FFFD for a lone surrogate, and so another id.
    if (!documentId.isWellFormed() || !ownerId.isWellFormed()) throw new TypeError('An id has a lone surrogate');
    const known = await this.versionOf(documentId);
    if (known !== undefined && known > version) return;
    await this.#database.write(() =>
      this.#writer.put({ documentId, ownerId, receivedAt, version, title, filename, text }),
    );
  }

  async versionOf(documentId: string): Promise<number | undefined> {
    if (!documentId.isWellFormed()) return undefined;
    const stored = await this.#database.run(() =>
      this.#records.entries.findOne({ _id: documentId }, { projection: { version: 1 } }),
    );
    return stored?.version;
  }

  async search(ownerId: string, query: SearchQuery, page: PageRequest): Promise<Page<string>> {
    if (!ownerId.isWellFormed()) return { items: [], total: 0 };
    if ([...query.all, ...query.none].some(({ tokens }) => tokens.length > this.#phraseTokens)) {
      throw new AppError('VALIDATION_ERROR', `q: use phrases of at most ${this.#phraseTokens} words.`);
    }
    return this.#database.run(() => this.#searchInTime(ownerId, query, page));
  }

  /** Also those of which a first put was begun and not ended, or of which a part came after the removal. */
  async scan(after: string | undefined, limit: number): Promise<readonly string[]> {
    if (limit < 1) return [];
    return await this.#database.run(async () => {
      const filter = { _id: after === undefined ? { $gte: '' } : { $gt: after } };
      const stored = await this.#records.entries
        .find(filter, { projection: { _id: 1 }, sort: { _id: 1 }, limit })
        .toArray();
      const last = stored.length < limit ? undefined : stored.at(-1)?._id;
      const ids = new Set([...stored.map(({ _id }) => _id), ...(await this.#withParts(after, last, limit))]);
      // As the server orders them.
      return [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).slice(0, limit);
    });
  }

  async remove(documentId: string): Promise<void> {
    if (!documentId.isWellFormed()) return;
    await this.#database.write(() => this.#writer.remove(documentId));
  }

  /** The ids of up to `limit` documents that have parts, higher than `after` and up to `last`, ascending. */
  async #withParts(after: string | undefined, last: string | undefined, limit: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let from = after; ids.length < limit; from = ids.at(-1)) {
      const documentId = {
        ...(from === undefined ? { $gte: '' } : { $gt: from }),
        ...(last === undefined ? {} : { $lte: last }),
      };
      const part = await this.#records.parts.findOne(
        { documentId },
        { projection: { _id: 0, documentId: 1 }, sort: { documentId: 1 } },
      );
      if (part === null) return ids;
      ids.push(part.documentId);
    }
    return ids;
  }

  async #searchInTime(ownerId: string, query: SearchQuery, page: PageRequest): Promise<Page<string>> {
    try {
      return await this.#searchUndisturbed(ownerId, query, page);
    } catch (error) {
      throw isTimeOver(error) ? tooLong(error) : error;
    }
  }

  // Short entries change in one step. Parts of long ones may be gone before they are read: then it begins anew.
  async #searchUndisturbed(ownerId: string, query: SearchQuery, { offset, limit }: PageRequest): Promise<Page<string>> {
    const time = new TimeLeft(this.#searchMs);
    const long = new LongEntries(this.#records, time, ownerId);
    for (let listed = await long.list(); ;) {
      const found = await long.matching(listed, query);
      const short = await ShortEntries.find(this.#records.entries, time, ownerId, query);
      const { count, length } = await short.count();
      const total = count + found.length;
      const characters = found.reduce((sum, entry) => sum + entry.length, length) * query.all.length;
      const isRankedByText = characters <= COUNTED_CHARACTERS;
      const { skip, limit: most } = neededOf(found.length, offset, limit);
      const many = skip < count && limit > 0 ? await short.list({ skip, limit: most }, isRankedByText) : [];
      const few = isRankedByText ? found : found.map((entry) => ({ ...entry, often: 0 }));
      const listedAfter = await long.list();
      if (areSame(listed, listedAfter))
        return { items: mergedPage(many, few, { skip, offset, limit }).map(({ _id }) => _id), total };
      listed = listedAfter;
    }
  }
}

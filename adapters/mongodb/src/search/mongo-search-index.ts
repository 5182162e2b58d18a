import {
  AppError,
  MAX_COUNTED_CHARACTERS,
  SEARCH_TIMEOUT_MS,
  type Page,
  type PageRequest,
  type SearchEntry,
  type SearchIndex,
  type SearchQuery,
} from '@palimpsest/core';
import type { Database } from '../database.ts';
import { Deadline, isTimeLimitError, searchTimeout } from './deadline.ts';
import { searchRecords, type SearchRecords } from './entry-records.ts';
import { EntryWriter } from './entry-writer.ts';
import { hasSamePuts, LongEntries } from './long-entries.ts';
import { mergePage, neededRange } from './ranking.ts';
import { SEGMENT_LIMITS, type SegmentLimits } from './segments.ts';
import { ShortEntries } from './short-entries.ts';

export { searchIndexes } from './entry-records.ts';

/** Limits that tests make smaller. */
export interface SearchIndexOptions {
  readonly searchMs?: number; // the time limit of a search
  readonly limits?: SegmentLimits;
}

/**
 * A search index on MongoDB's text indexes. A text index finds the owner's entries that contain a term; then the server
 * matches and ranks them by their stored words. A short entry is one record; a long entry, which does not fit in one
 * record, is in parts, and stays in parts when its next version is short. Throws `VALIDATION_ERROR` for a phrase of
 * more than 3000 words.
 */
export class MongoSearchIndex implements SearchIndex {
  readonly #database: Database;
  readonly #records: SearchRecords;
  readonly #writer: EntryWriter;
  readonly #searchMs: number;
  readonly #phraseTokens: number;

  constructor(database: Database, { searchMs = SEARCH_TIMEOUT_MS, limits = SEGMENT_LIMITS }: SearchIndexOptions = {}) {
    this.#database = database;
    this.#records = searchRecords(database);
    this.#writer = new EntryWriter(this.#records, limits);
    this.#searchMs = searchMs;
    this.#phraseTokens = limits.phraseTokens;
  }

  async put({ documentId, ownerId, receivedAt, version, title, filename, text }: SearchEntry): Promise<void> {
    // MongoDB would store a lone surrogate as U+FFFD, which is another id.
    if (!documentId.isWellFormed() || !ownerId.isWellFormed()) throw new TypeError('An id contains a lone surrogate');
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
    return this.#database.run(() => this.#searchWithTimeLimit(ownerId, query, page));
  }

  /** Includes documents whose first put did not end, and documents that have only stray parts. */
  async scan(after: string | undefined, limit: number): Promise<readonly string[]> {
    if (limit < 1) return [];
    return await this.#database.run(async () => {
      const filter = { _id: after === undefined ? { $gte: '' } : { $gt: after } };
      const stored = await this.#records.entries
        .find(filter, { projection: { _id: 1 }, sort: { _id: 1 }, limit })
        .toArray();
      const last = stored.length < limit ? undefined : stored.at(-1)?._id;
      const ids = new Set([...stored.map(({ _id }) => _id), ...(await this.#documentsWithParts(after, last, limit))]);
      // The server sorts ids by their UTF-8 bytes.
      return [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).slice(0, limit);
    });
  }

  async remove(documentId: string): Promise<void> {
    if (!documentId.isWellFormed()) return;
    await this.#database.write(() => this.#writer.remove(documentId));
  }

  /** Up to `limit` ids of documents that have parts, after `after` and up to `last`, ascending. */
  async #documentsWithParts(
    after: string | undefined,
    last: string | undefined,
    limit: number,
  ): Promise<readonly string[]> {
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

  async #searchWithTimeLimit(ownerId: string, query: SearchQuery, page: PageRequest): Promise<Page<string>> {
    try {
      return await this.#searchConsistently(ownerId, query, page);
    } catch (error) {
      throw isTimeLimitError(error) ? searchTimeout(error) : error;
    }
  }

  /**
   * Repeats the search if long entries changed during it, because their parts may have been removed before they were
   * read.
   */
  async #searchConsistently(
    ownerId: string,
    query: SearchQuery,
    { offset, limit }: PageRequest,
  ): Promise<Page<string>> {
    const deadline = new Deadline(this.#searchMs);
    const long = new LongEntries(this.#records, deadline, ownerId);
    for (let listed = await long.list(); ;) {
      const found = await long.matching(listed, query);
      const short = await ShortEntries.find(this.#records.entries, deadline, ownerId, query);
      const { count, length } = await short.count();
      const total = count + found.length;
      const characters = found.reduce((sum, entry) => sum + entry.length, length) * query.all.length;
      const isRankedByText = characters <= MAX_COUNTED_CHARACTERS;
      const range = neededRange(found.length, offset, limit);
      const sorted = range.skip < count && limit > 0 ? await short.list(range, isRankedByText) : [];
      const matches = isRankedByText ? found : found.map((entry) => ({ ...entry, frequency: 0 }));
      const listedAfter = await long.list();
      if (hasSamePuts(listed, listedAfter))
        return { items: mergePage(sorted, matches, { skip: range.skip, offset, limit }).map(({ _id }) => _id), total };
      listed = listedAfter;
    }
  }
}

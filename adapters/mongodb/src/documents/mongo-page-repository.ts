import { randomUUID } from 'node:crypto';
import type { PageRepository, PageWithoutWords, RecognizedPage, Word } from '@palimpsest/core';
import type { Collection } from 'mongodb';
import { LATEST, type Database } from '../database.ts';
import { isDuplicate } from '../errors.ts';
import type { Indexes } from '../indexes.ts';
import { allIdsOf, PagePieces, pieceIndexes, type PageContent } from './page-pieces.ts';

interface PageEntry extends PageContent {
  readonly run: string;
  readonly number: number;
}

/**
 * The list of a document's pages, of all runs. It is one record, so that each change of it is atomic.
 *
 * `era` is the generation of the list. Every cleanup starts a new generation and removes the pieces of earlier ones to
 * which no page refers. A page enters the list only in the generation in which its pieces were stored; so a cleanup
 * never removes the pieces of a page that another call is storing.
 */
interface PagesRow {
  readonly _id: string; // the id of the document
  readonly era: string;
  readonly change: string; // a new random value after each change
  readonly pages: readonly PageEntry[];
}

export const pageIndexes: Indexes = pieceIndexes;

const READ_ATTEMPTS = 10;

/** Recognised pages in MongoDB: one list per document, and the contents in pieces. */
export class MongoPageRepository implements PageRepository {
  readonly #database: Database;
  readonly #lists: Collection<PagesRow>;
  readonly #pieces: PagePieces;

  constructor(database: Database) {
    this.#database = database;
    this.#lists = database.collection('pages');
    this.#pieces = new PagePieces(database);
  }

  async put(documentId: string, run: string, page: RecognizedPage): Promise<void> {
    for (;;) {
      const generation = await this.#generation(documentId);
      const content = await this.#pieces.store(documentId, generation, randomUUID(), page);
      const replaced = await this.#enter(documentId, generation, { run, number: page.number, ...content });
      if (replaced !== undefined) {
        await this.#pieces.remove(replaced.filter(({ put }) => put !== content.put).flatMap(allIdsOf));
        return;
      }
      // A cleanup started a new generation, so it may remove the pieces.
      await this.#pieces.remove(allIdsOf(content));
    }
  }

  adopt(documentId: string, run: string): Promise<readonly number[]> {
    return this.#database.write(async () => {
      for (;;) {
        const list = documentId.isWellFormed() ? await this.#lists.findOne({ _id: documentId }, LATEST) : null;
        if (!list) return [];
        const own = new Set(list.pages.filter((entry) => entry.run === run).map(({ number }) => number));
        // If several other runs have a page with this number, the last one in the list is adopted.
        const others = new Map(
          list.pages.filter(({ number }) => !own.has(number)).map((entry) => [entry.number, entry.put]),
        );
        const pages = list.pages.map((entry) => (others.get(entry.number) === entry.put ? { ...entry, run } : entry));
        const numbers = [...own, ...others.keys()].sort((a, b) => a - b);
        if (others.size === 0) return numbers;
        const { matchedCount } = await this.#lists.updateOne(
          { _id: documentId, change: list.change },
          { $set: { pages, change: randomUUID() } },
        );
        if (matchedCount > 0) return numbers;
      }
    });
  }

  async list(documentId: string, run: string): Promise<readonly PageWithoutWords[]> {
    const pages = await this.#retryRead(async () => {
      const list = await this.#find(documentId, run);
      const entries = (list?.pages ?? []).filter((entry) => entry.run === run).sort((a, b) => a.number - b.number);
      return entries.length === 0 ? [] : await this.#pieces.pages(entries);
    });
    return pages;
  }

  async words(documentId: string, run: string, number: number): Promise<readonly Word[] | undefined> {
    const { words } = await this.#retryRead(async () => {
      const list = await this.#find(documentId, run);
      const entry = list?.pages.find((each) => each.run === run && each.number === number);
      if (!entry) return { words: undefined };
      const found = await this.#pieces.words(entry);
      return found && { words: found };
    });
    return words;
  }

  async removeOthers(documentId: string, run: string): Promise<void> {
    if (!documentId.isWellFormed()) return;
    await this.#database.write(() =>
      this.#lists.updateOne(
        { _id: documentId },
        { $pull: { pages: { run: { $ne: run } } }, $set: { era: randomUUID(), change: randomUUID() } },
      ),
    );
    await this.#cleanUp(documentId);
  }

  async removeAll(documentId: string): Promise<void> {
    if (!documentId.isWellFormed()) return;
    await this.#database.write(() => this.#lists.deleteOne({ _id: documentId }));
    await this.#cleanUp(documentId);
  }

  /** The generation of the document's list. Creates the list if it does not exist. */
  #generation(documentId: string): Promise<string> {
    return this.#database.write(async () => {
      for (;;) {
        const list = await this.#lists.findOne({ _id: documentId }, { ...LATEST, projection: { era: 1 } });
        if (list) return list.era;
        try {
          await this.#lists.insertOne({ _id: documentId, era: randomUUID(), change: randomUUID(), pages: [] });
        } catch (error) {
          // Another call created the list at the same time.
          if (!isDuplicate(error)) throw error;
        }
      }
    });
  }

  /**
   * Enters a page in the list and returns the entries that it replaces; `undefined` if the list has a new generation.
   */
  #enter(documentId: string, generation: string, entry: PageEntry): Promise<readonly PageEntry[] | undefined> {
    const { run, number } = entry;
    const same = { $elemMatch: { run, number } };
    return this.#database.write(async () => {
      for (;;) {
        const change = randomUUID();
        const added = await this.#lists.updateOne(
          { _id: documentId, era: generation, pages: { $not: same } },
          { $push: { pages: entry }, $set: { change } },
        );
        if (added.matchedCount > 0) return [];
        const before = await this.#lists.findOneAndUpdate(
          { _id: documentId, era: generation, pages: same },
          { $set: { 'pages.$': entry, change } },
          { returnDocument: 'before', projection: { pages: same } },
        );
        if (before) return before.pages;
        const list = await this.#lists.findOne({ _id: documentId }, { ...LATEST, projection: { era: 1 } });
        if (list?.era !== generation) return undefined;
      }
    });
  }

  async #find(documentId: string, run: string): Promise<PagesRow | null> {
    if (!documentId.isWellFormed() || !run.isWellFormed()) return null;
    return await this.#database.run(() => this.#lists.findOne({ _id: documentId }));
  }

  /** Removes the pieces of earlier generations to which no page in the list refers. */
  async #cleanUp(documentId: string): Promise<void> {
    // In this order, the list contains every page whose pieces are among those found.
    const pieces = await this.#pieces.ofDocument(documentId);
    const list = await this.#database.run(() => this.#lists.findOne({ _id: documentId }, LATEST));
    const referenced = new Set(list?.pages.flatMap(allIdsOf));
    await this.#pieces.remove(
      pieces.filter(({ _id, era }) => era !== list?.era && !referenced.has(_id)).map(({ _id }) => _id),
    );
  }

  /** Repeats a read while another call replaces the pieces between the read of the list and the read of the pieces. */
  async #retryRead<T>(read: () => Promise<T | undefined>): Promise<T> {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      const found = await read();
      if (found !== undefined) return found;
    }
    throw new Error('Pieces of a stored page are missing');
  }
}

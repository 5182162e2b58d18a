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
 * The list of a document's pages, of all runs: one record, so that a page comes, goes and changes its run in one step.
 * `era` is new whenever pieces that no page refers to are swept away: a page enters the list only in the era in which its
 * pieces were stored. Without that, the pieces of a page that is just being stored would be taken for leftovers.
 */
interface PagesRow {
  readonly _id: string; // of the document
  readonly era: string;
  readonly change: string; // new at each change
  readonly pages: readonly PageEntry[];
}

export const pageIndexes: Indexes = pieceIndexes;

const TRIES = 10;

/** Recognised pages in MongoDB: pieces with what they say, and for each document the list of its pages. */
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
      const era = await this.#era(documentId);
      const content = await this.#pieces.store(documentId, era, randomUUID(), page);
      const displaced = await this.#enter(documentId, era, { run, number: page.number, ...content });
      if (displaced !== undefined) {
        await this.#pieces.remove(displaced.filter(({ put }) => put !== content.put).flatMap(allIdsOf));
        return;
      }
      // Swept away meanwhile, or about to be.
      await this.#pieces.remove(allIdsOf(content));
    }
  }

  adopt(documentId: string, run: string): Promise<readonly number[]> {
    return this.#database.write(async () => {
      for (;;) {
        const list = documentId.isWellFormed() ? await this.#lists.findOne({ _id: documentId }, LATEST) : null;
        if (!list) return [];
        const own = new Set(list.pages.filter((entry) => entry.run === run).map(({ number }) => number));
        // Of several pages with one number the last one moves.
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
    const pages = await this.#patiently(async () => {
      const list = await this.#find(documentId, run);
      const entries = (list?.pages ?? []).filter((entry) => entry.run === run).sort((a, b) => a.number - b.number);
      return entries.length === 0 ? [] : await this.#pieces.pages(entries);
    });
    return pages;
  }

  async words(documentId: string, run: string, number: number): Promise<readonly Word[] | undefined> {
    const { words } = await this.#patiently(async () => {
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
    await this.#sweep(documentId);
  }

  async removeAll(documentId: string): Promise<void> {
    if (!documentId.isWellFormed()) return;
    await this.#database.write(() => this.#lists.deleteOne({ _id: documentId }));
    await this.#sweep(documentId);
  }

  /** The era of the document's list, which is made if there is none. */
  #era(documentId: string): Promise<string> {
    return this.#database.write(async () => {
      for (;;) {
        const list = await this.#lists.findOne({ _id: documentId }, { ...LATEST, projection: { era: 1 } });
        if (list) return list.era;
        try {
          await this.#lists.insertOne({ _id: documentId, era: randomUUID(), change: randomUUID(), pages: [] });
        } catch (error) {
          // Another call made it at the same moment.
          if (!isDuplicate(error)) throw error;
        }
      }
    });
  }

  /** Puts a page on the list, and gives what stood there in its place; `undefined` if the era is over. */
  #enter(documentId: string, era: string, entry: PageEntry): Promise<readonly PageEntry[] | undefined> {
    const { run, number } = entry;
    const same = { $elemMatch: { run, number } };
    return this.#database.write(async () => {
      for (;;) {
        const change = randomUUID();
        const added = await this.#lists.updateOne(
          { _id: documentId, era, pages: { $not: same } },
          { $push: { pages: entry }, $set: { change } },
        );
        if (added.matchedCount > 0) return [];
        const before = await this.#lists.findOneAndUpdate(
          { _id: documentId, era, pages: same },
          { $set: { 'pages.$': entry, change } },
          { returnDocument: 'before', projection: { pages: same } },
        );
        if (before) return before.pages;
        const list = await this.#lists.findOne({ _id: documentId }, { ...LATEST, projection: { era: 1 } });
        if (list?.era !== era) return undefined;
      }
    });
  }

  async #find(documentId: string, run: string): Promise<PagesRow | null> {
    if (!documentId.isWellFormed() || !run.isWellFormed()) return null;
    return await this.#database.run(() => this.#lists.findOne({ _id: documentId }));
  }

  /** Removes the pieces that no page on the list refers to, and none ever will, as their era is over. */
  async #sweep(documentId: string): Promise<void> {
    // The pieces first: what is stored after the look at the list is not among them.
    const pieces = await this.#pieces.ofDocument(documentId);
    const list = await this.#database.run(() => this.#lists.findOne({ _id: documentId }, LATEST));
    const referred = new Set(list?.pages.flatMap(allIdsOf));
    await this.#pieces.remove(
      pieces.filter(({ _id, era }) => era !== list?.era && !referred.has(_id)).map(({ _id }) => _id),
    );
  }

  /** A page that is replaced between the look at the list and that at its pieces is looked for anew. */
  async #patiently<T>(look: () => Promise<T | undefined>): Promise<T> {
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await look();
      if (found !== undefined) return found;
    }
    throw new Error('Pieces of a stored page are missing');
  }
}

import {
  compactWords,
  wordsFromCompact,
  type PageRepository,
  type PageWithoutWords,
  type RecognizedPage,
  type Word,
} from '@palimpsest/core';
import type { Database } from '../database.ts';
import { removeInBatches } from '../remove-in-batches.ts';

const PAGES_PER_BATCH = 20; // a page and its words may have several megabytes

/** Recognised pages in SQLite. Words have their own table, so that a list of pages does not read them. */
export class SqlitePageRepository implements PageRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(documentId: string, run: string, { words, ...page }: RecognizedPage): Promise<void> {
    const pageJson = JSON.stringify(page);
    const wordsJson = compactWords(words);
    await this.#database.write(() => {
      const stored = this.#database.one<{ page_id: number }>(
        `INSERT INTO pages (document_id, run, number, page) VALUES (?, ?, ?, ?)
         ON CONFLICT (document_id, run, number) DO UPDATE SET page = excluded.page RETURNING page_id`,
        documentId,
        run,
        page.number,
        pageJson,
      );
      this.#database.run(
        'INSERT INTO page_words (page_id, words) VALUES (?, ?) ON CONFLICT (page_id) DO UPDATE SET words = excluded.words',
        stored?.page_id ?? null,
        wordsJson,
      );
    });
  }

  adopt(documentId: string, run: string): Promise<readonly number[]> {
    return this.#database.write(() => {
      // If several other runs have a page with this number, the newest page is adopted. OR IGNORE skips a number that
      // `run` has.
      this.#database.run(
        `UPDATE OR IGNORE pages SET run = ?1 WHERE page_id IN
         (SELECT max(page_id) FROM pages WHERE document_id = ?2 AND run <> ?1 GROUP BY number)`,
        run,
        documentId,
      );
      return this.#database
        .all<{ number: number }>(
          'SELECT number FROM pages WHERE document_id = ? AND run = ? ORDER BY number',
          documentId,
          run,
        )
        .map((row) => row.number);
    });
  }

  async list(documentId: string, run: string): Promise<readonly PageWithoutWords[]> {
    const rows = await this.#database.read(() =>
      this.#database.all<{ page: string }>(
        'SELECT page FROM pages WHERE document_id = ? AND run = ? ORDER BY number',
        documentId,
        run,
      ),
    );
    return rows.map((row): PageWithoutWords => JSON.parse(row.page));
  }

  async words(documentId: string, run: string, number: number): Promise<readonly Word[] | undefined> {
    const row = await this.#database.read(() =>
      this.#database.one<{ words: string }>(
        'SELECT words FROM pages JOIN page_words USING (page_id) WHERE document_id = ? AND run = ? AND number = ?',
        documentId,
        run,
        number,
      ),
    );
    if (!row) return undefined;
    return wordsFromCompact(row.words);
  }

  async removeOthers(documentId: string, run: string): Promise<void> {
    await this.#remove('document_id = ? AND run <> ?', documentId, run);
  }

  async removeAll(documentId: string): Promise<void> {
    await this.#remove('document_id = ?', documentId);
  }

  async #remove(condition: string, ...values: readonly string[]): Promise<void> {
    await removeInBatches(this.#database, { table: 'pages', condition, batch: PAGES_PER_BATCH }, ...values);
  }
}

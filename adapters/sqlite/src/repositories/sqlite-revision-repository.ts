import { revisionConflict, type Revision, type RevisionRepository } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { removeInBatches } from '../remove-in-batches.ts';

const REVISIONS_PER_BATCH = 5; // of up to 5 MiB each

interface Row {
  readonly number: number;
  readonly revised_at: number;
  readonly text: string;
}

const revisionOf = (row: Row): Revision => ({ number: row.number, revisedAt: row.revised_at, text: row.text });

const NEWEST_FIRST = 'SELECT number, revised_at, text FROM revisions WHERE document_id = ? ORDER BY number DESC';

/** Revisions of texts in SQLite. */
export class SqliteRevisionRepository implements RevisionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  append(
    documentId: string,
    { revisedAt, text }: Omit<Revision, 'number'>,
    expectedNewest?: number,
  ): Promise<Revision> {
    return this.#database.write(() => {
      const newest =
        this.#database.one<{ newest: number | null }>(
          'SELECT max(number) AS newest FROM revisions WHERE document_id = ?',
          documentId,
        )?.newest ?? 0;
      if (expectedNewest !== undefined && expectedNewest !== newest) throw revisionConflict();
      const number = newest + 1;
      this.#database.run(
        'INSERT INTO revisions (document_id, number, revised_at, text) VALUES (?, ?, ?, ?)',
        documentId,
        number,
        revisedAt,
        text,
      );
      return { number, revisedAt, text };
    });
  }

  newest(documentId: string): Promise<Revision | undefined> {
    return this.#database.read(() => {
      const row = this.#database.one<Row>(`${NEWEST_FIRST} LIMIT 1`, documentId);
      return row && revisionOf(row);
    });
  }

  find(documentId: string, number: number): Promise<Revision | undefined> {
    return this.#database.read(() => {
      // A fraction equals no stored number. Neither does NaN, which SQLite treats as NULL.
      const row = this.#database.one<Row>(
        'SELECT number, revised_at, text FROM revisions WHERE document_id = ? AND number = ?',
        documentId,
        number,
      );
      return row && revisionOf(row);
    });
  }

  list(documentId: string): Promise<readonly Revision[]> {
    return this.#database.read(() => this.#database.all<Row>(NEWEST_FIRST, documentId).map(revisionOf));
  }

  async removeAll(documentId: string): Promise<void> {
    const rows = { table: 'revisions', condition: 'document_id = ?', batch: REVISIONS_PER_BATCH };
    await removeInBatches(this.#database, rows, documentId);
  }
}

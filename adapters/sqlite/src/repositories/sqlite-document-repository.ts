import type { Document, DocumentRepository, Instant, Page, PageRequest } from '@palimpsest/core';
import type { Database } from '../database.ts';

interface Row {
  readonly record: string;
}

const documentOf = (row: Row): Document => JSON.parse(row.record);

/** The time from which a worker may claim the document; `null`: never. */
const claimAtOf = (document: Document): Instant | null => {
  if (document.status === 'queued') return document.notBefore;
  return document.status === 'processing' ? document.lease.expiresAt : null;
};

/** The columns of a document without its id, in their order. */
const columnsOf = (document: Document) =>
  [
    document.ownerId,
    document.status,
    document.receivedAt,
    claimAtOf(document),
    document.status === 'deleting' ? document.purgeAfter : null,
    document.blobKey,
    document.version,
    JSON.stringify(document),
  ] as const;

const leaseTokenOf = (document: Document): string | undefined =>
  document.status === 'processing' ? document.lease.token : undefined;

// Of the owners without a processing document, the one who was served longest ago: the first match in an index.
const NEXT_OWNER_WITHOUT_WORK = `
  SELECT owner_id FROM owners INDEXED BY owners_open_by_turn
  WHERE open > 0
    AND NOT EXISTS (SELECT 1 FROM documents INDEXED BY documents_held
      WHERE owner_id = owners.owner_id AND status = 'processing' AND claim_at > ?1)
    AND EXISTS (SELECT 1 FROM documents INDEXED BY documents_claimable_of_owner
      WHERE owner_id = owners.owner_id AND claim_at <= ?1)
  ORDER BY last_served, owners.rowid LIMIT 1`;

// Otherwise, the owner with the fewest processing documents. There are at most as many such owners as workers.
const NEXT_OWNER_WITH_WORK = `
  SELECT owner_id FROM owners JOIN
    (SELECT owner_id AS holder, count(*) AS held FROM documents INDEXED BY documents_held
      WHERE status = 'processing' AND claim_at > ?1 GROUP BY owner_id) ON holder = owner_id
  WHERE EXISTS (SELECT 1 FROM documents INDEXED BY documents_claimable_of_owner
    WHERE owner_id = owners.owner_id AND claim_at <= ?1)
  ORDER BY held, last_served, owners.rowid LIMIT 1`;

const FIRST_CLAIMABLE_OF_OWNER = `
  SELECT record FROM documents INDEXED BY documents_claimable_in_order
  WHERE owner_id = ? AND claim_at <= ? ORDER BY received_at, id LIMIT 1`;

/** Document records in SQLite. */
export class SqliteDocumentRepository implements DocumentRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(document: Document): Promise<void> {
    const stored = await this.#database.write(() =>
      this.#database.run(
        `INSERT INTO documents (id, owner_id, status, received_at, claim_at, purge_at, blob_key, version, record)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
        document.id,
        ...columnsOf(document),
      ),
    );
    if (stored === 0) throw new TypeError('The document id is already in use');
  }

  find(id: string): Promise<Document | undefined> {
    return this.#database.read(() => this.#find(id));
  }

  list(ownerId: string, { limit, offset }: PageRequest): Promise<Page<Document>> {
    return this.#database.read(() => ({
      items: this.#database
        .all<Row>(
          `SELECT record FROM documents INDEXED BY documents_listed WHERE owner_id = ? AND status <> 'deleting'
           ORDER BY received_at DESC, id DESC LIMIT ? OFFSET ?`,
          ownerId,
          limit,
          offset,
        )
        .map(documentOf),
      total:
        this.#database.one<{ listed: number }>('SELECT listed FROM owners WHERE owner_id = ?', ownerId)?.listed ?? 0,
    }));
  }

  replace(next: Document): Promise<boolean> {
    return this.#database.write(() => {
      const before = this.#find(next.id);
      if (before?.version !== next.version - 1) return false;
      this.#database.run(
        `UPDATE documents SET owner_id = ?, status = ?, received_at = ?, claim_at = ?, purge_at = ?, blob_key = ?,
         version = ?, record = ? WHERE id = ?`,
        ...columnsOf(next),
        next.id,
      );
      // A renewed lease is not a new claim.
      if (next.status === 'processing' && leaseTokenOf(before) !== next.lease.token) {
        this.#database.run(
          'UPDATE owners SET last_served = (SELECT max(last_served) FROM owners) + 1 WHERE owner_id = ?',
          next.ownerId,
        );
      }
      return true;
    });
  }

  nextClaimable(now: Instant): Promise<Document | undefined> {
    return this.#database.read(() => {
      const owner =
        this.#database.one<{ owner_id: string }>(NEXT_OWNER_WITHOUT_WORK, now) ??
        this.#database.one<{ owner_id: string }>(NEXT_OWNER_WITH_WORK, now);
      if (!owner) return undefined;
      const row = this.#database.one<Row>(FIRST_CLAIMABLE_OF_OWNER, owner.owner_id, now);
      return row && documentOf(row);
    });
  }

  findPurgeable(now: Instant, limit: number): Promise<readonly Document[]> {
    return this.#database.read(() =>
      this.#database
        .all<Row>('SELECT record FROM documents WHERE purge_at <= ? ORDER BY purge_at, id LIMIT ?', now, limit)
        .map(documentOf),
    );
  }

  scan(after: string | undefined, limit: number): Promise<readonly Document[]> {
    return this.#database.read(() =>
      this.#database
        .all<Row>('SELECT record FROM documents WHERE id > ? ORDER BY id LIMIT ?', after ?? '', limit)
        .map(documentOf),
    );
  }

  async referencedBlobs(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#database.read(() =>
      this.#database.all<{ blob_key: string }>(
        'SELECT blob_key FROM documents WHERE blob_key IN (SELECT value FROM json_each(?))',
        JSON.stringify(keys),
      ),
    );
    return new Set(rows.map((row) => row.blob_key));
  }

  async remove(id: string): Promise<void> {
    await this.#database.write(() => this.#database.run('DELETE FROM documents WHERE id = ?', id));
  }

  async check(): Promise<void> {
    await this.#database.read(() => this.#database.one('SELECT 1 FROM documents LIMIT 1'));
  }

  #find(id: string): Document | undefined {
    const row = this.#database.one<Row>('SELECT record FROM documents WHERE id = ?', id);
    const document = row && documentOf(row);
    // SQLite stores U+FFFD for a lone surrogate, so such an id could find another document.
    return document?.id === id ? document : undefined;
  }
}

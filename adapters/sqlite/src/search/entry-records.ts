import type { Database } from '../database.ts';

/** An entry in the database. */
export interface EntryRecord {
  readonly entry_id: number;
  readonly document_id: string;
  readonly version: number;
  readonly write_id: string | null; // of its parts; null: its words are in one row
}

/** The entry of a document, inside a transaction. */
export const findEntry = (database: Database, documentId: string): EntryRecord | undefined => {
  const row = database.one<EntryRecord>(
    'SELECT entry_id, document_id, version, write_id FROM search_entries WHERE document_id = ?',
    documentId,
  );
  return row?.document_id === documentId ? row : undefined;
};

/** The number of an owner who has or had an entry, inside a transaction. */
export const findOwner = (database: Database, ownerId: string): number | undefined => {
  const row = database.one<{ readonly owner_number: number; readonly owner_id: string }>(
    'SELECT owner_number, owner_id FROM search_owners WHERE owner_id = ?',
    ownerId,
  );
  // SQLite stores U+FFFD for a lone surrogate, so such an id could find another owner.
  return row?.owner_id === ownerId ? row.owner_number : undefined;
};

/** The number of an owner. Adds a new owner. Runs its own transaction. */
export const addOwner = async (database: Database, ownerId: string): Promise<number> => {
  const known = await database.read(() => findOwner(database, ownerId));
  if (known !== undefined) return known;
  return database.write(() => {
    database.run('INSERT INTO search_owners (owner_id) VALUES (?) ON CONFLICT DO NOTHING', ownerId);
    const added = findOwner(database, ownerId);
    if (added === undefined) throw new TypeError('The id of an owner contains a lone surrogate');
    return added;
  });
};

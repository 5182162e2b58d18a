import type { SearchEntry } from '@palimpsest/core';
import type { Collection } from 'mongodb';
import type { Database } from '../database.ts';
import type { Indexes } from '../indexes.ts';
import type { Segment } from './segments.ts';

const ENTRIES = 'search_entries';
const PARTS = 'search_parts';

/** The searchable fields of an entry. */
export const wordFields = ['title', 'filename', 'text'] as const;
export type WordField = (typeof wordFields)[number];

/** A call of `SearchIndex.put` for a long entry, while it stores the parts. */
export interface PendingPut {
  readonly put: string; // a random id of the call; the parts carry it
  readonly version: number;
}

/** The searchable content of an entry. */
export interface EntryContent {
  readonly ownerId: string;
  readonly receivedAt: number;
  readonly version: number;
  readonly length: number; // of the words of the text, in UTF-16 code units
  readonly isLong: boolean; // the words are in parts; a long entry stays long, even if its next text is short
  readonly put?: string; // a long entry: the put that stored the current parts
  readonly words?: Readonly<Record<WordField, string>>; // a short entry: see Segment
  readonly terms?: string; // a short entry: see Segment
}

/**
 * The stored entry of a document. It has no content while its first parts are being stored or its last parts are being
 * removed. A put is registered here before its first part is stored and until its last part is removed, so that a crash
 * leaves no part without a registered put.
 */
export interface EntryRecord extends Partial<EntryContent> {
  readonly _id: string; // the id of the document
  readonly state: string; // a new random value after each change: a writer changes the record only in the state that it read
  readonly pending: readonly PendingPut[];
  readonly dropped: readonly string[]; // puts whose parts must be removed
}

/**
 * A part of a long entry. A search reads only the parts of the current put. A stray part, which arrived after its put was
 * dropped because its process crashed, is found by `documentId`.
 */
export interface PartRecord extends Segment {
  readonly _id: string;
  readonly documentId: string;
  readonly ownerId: string;
  readonly put: string;
  readonly field: WordField;
}

/** The two collections of the index. */
export interface SearchRecords {
  readonly entries: Collection<EntryRecord>;
  readonly parts: Collection<PartRecord>;
}

export const searchRecords = (database: Database): SearchRecords => ({
  entries: database.collection<EntryRecord>(ENTRIES),
  parts: database.collection<PartRecord>(PARTS),
});

// `none`: no stemming and no stop words. No record has a field `noLanguage`, so no record overrides this.
const TEXT_INDEX = { default_language: 'none', language_override: 'noLanguage' } as const;

/**
 * The text indexes begin with the owner, so that a search reads only the owner's index entries. A search with a word, or
 * with a prefix of at least three characters, uses them. Any other search reads all entries of the owner.
 */
export const searchIndexes: Indexes = {
  [ENTRIES]: [
    { name: 'search_entries_terms', key: { ownerId: 1, terms: 'text' }, ...TEXT_INDEX },
    { name: 'search_entries_listed', key: { ownerId: 1, isLong: 1, receivedAt: -1, _id: -1 } },
  ],
  [PARTS]: [
    { name: 'search_parts_terms', key: { ownerId: 1, terms: 'text' }, ...TEXT_INDEX },
    { name: 'search_parts_put', key: { put: 1 } },
    { name: 'search_parts_document', key: { documentId: 1, put: 1 } },
  ],
};

/** The stored fields of an entry besides its words. */
export const contentOf = ({
  ownerId,
  receivedAt,
  version,
}: SearchEntry): Pick<EntryContent, 'ownerId' | 'receivedAt' | 'version'> => ({
  ownerId,
  receivedAt,
  version,
});

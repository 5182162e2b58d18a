import type { SearchEntry } from '@palimpsest/core';
import type { Collection } from 'mongodb';
import type { Database } from '../database.ts';
import type { Indexes } from '../indexes.ts';
import type { Segment } from './segments.ts';

const ENTRIES = 'search_entries';
const PARTS = 'search_parts';

/** The fields of an entry that have words. */
export const wordFields = ['title', 'filename', 'text'] as const;
export type WordField = (typeof wordFields)[number];

/** The parts of a long entry that are being stored and are not in force yet. */
export interface PendingPut {
  readonly put: string;
  readonly version: number;
}

/** What an entry is found by. */
export interface EntryContent {
  readonly ownerId: string;
  readonly receivedAt: number;
  readonly version: number;
  readonly length: number; // of the words of its text, in UTF-16 code units
  readonly isLong: boolean; // its words are in parts
  readonly put?: string; // of those parts
  readonly words?: Readonly<Record<WordField, string>>; // see Segment
  readonly terms?: string;
}

/**
 * What is stored of a document: without content while its first parts are being stored, or its last removed. Every put
 * that has parts stands in it from before the first is stored until after the last is removed, whoever dies in between.
 */
export interface EntryRecord extends Partial<EntryContent> {
  readonly _id: string; // of the document
  readonly state: string; // another one after each change, so that who changes it can say what they saw
  readonly pending: readonly PendingPut[];
  readonly dropped: readonly string[]; // puts whose parts are to be removed
}

/**
 * A part of a long entry. Parts of other puts than the one in force are not looked at. One that was on its way when its put
 * was dropped, from a process that died then, is found by its document.
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

// Terms are made so that the tokenizer leaves them alone; no field of a record changes its language.
const TEXT_INDEX = { default_language: 'none', language_override: 'noLanguage' } as const;

/**
 * The text indexes have the owner first, so that what a search reads in them is of that owner alone. Each search that has
 * a word, or a prefix of three characters, goes by them; the other lists the owner's entries.
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

/** What of an entry is stored beside its words. */
export const contentOf = ({
  ownerId,
  receivedAt,
  version,
}: SearchEntry): Pick<EntryContent, 'ownerId' | 'receivedAt' | 'version'> => ({
  ownerId,
  receivedAt,
  version,
});

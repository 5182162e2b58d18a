import { frequencyScore, type SearchQuery, type SearchTerm } from '@palimpsest/core';
import type { Document, Filter } from 'mongodb';
import type { EntryContent, EntryRecord, PartRecord, SearchRecords, WordField } from './entry-records.ts';
import { firstTermToFind } from './index-terms.ts';
import type { Ranked } from './ranking.ts';
import { occurrencesInPart } from './term-expressions.ts';
import type { Deadline } from './deadline.ts';

type LongEntry = Pick<EntryRecord, '_id'> & Pick<EntryContent, 'receivedAt' | 'length'> & { readonly put: string };

/** The number of occurrences of each term of a query in a field. The names are `t0`, `t1` and so on. */
type Counts = Readonly<Record<string, number>>;
type FieldCounts = Counts & { readonly _id: { readonly put: string; readonly field: WordField } };

/** A long entry that matches a query. */
export interface FoundLongEntry extends Ranked {
  readonly length: number; // of the text, in UTF-16 code units
}

const nameOf = (index: number): string => `t${index}`;

/** Searches the long entries of one owner. */
export class LongEntries {
  readonly #records: SearchRecords;
  readonly #deadline: Deadline;
  readonly #ownerId: string;

  constructor(records: SearchRecords, deadline: Deadline, ownerId: string) {
    this.#records = records;
    this.#deadline = deadline;
    this.#ownerId = ownerId;
  }

  /** All long entries of the owner. */
  async list(): Promise<readonly LongEntry[]> {
    const projection = { _id: 1, put: 1, receivedAt: 1, length: 1 };
    const wanted = { ownerId: this.#ownerId, isLong: true };
    return this.#records.entries
      .find(wanted, { maxTimeMS: this.#deadline.remainingMs() })
      .project<LongEntry>(projection)
      .toArray();
  }

  /** The given entries that match `query`. */
  async matching(entries: readonly LongEntry[], query: SearchQuery): Promise<readonly FoundLongEntry[]> {
    const { all, none } = query;
    const counts = entries.length === 0 ? new Map<string, Counts>() : await this.#count(entries, [...all, ...none]);
    return entries.flatMap(({ _id, put, receivedAt, length }) => {
      const countOf = (field: WordField, index: number): number => counts.get(`${put} ${field}`)?.[nameOf(index)] ?? 0;
      const occurs = (index: number): boolean =>
        countOf('title', index) + countOf('filename', index) + countOf('text', index) > 0;
      const isFound = all.every((_, i) => occurs(i)) && !none.some((_, i) => occurs(all.length + i));
      if (!isFound) return [];
      const titles = all.filter((_, i) => countOf('title', i) > 0).length;
      const filenames = all.filter((_, i) => countOf('filename', i) > 0).length;
      const frequency = all.reduce((sum, _, i) => sum + frequencyScore(countOf('text', i), length), 0);
      return [{ _id, receivedAt, length, titles, filenames, frequency }];
    });
  }

  async #count(entries: readonly LongEntry[], terms: readonly SearchTerm[]): Promise<ReadonlyMap<string, Counts>> {
    if (terms.length === 0) return new Map();
    const indexTerms = terms.map(firstTermToFind);
    const current = { ownerId: this.#ownerId, put: { $in: entries.map(({ put }) => put) } };
    // A part without any of the terms does not affect the counts. $search finds the parts with at least one of its words.
    const wanted: Filter<PartRecord> = indexTerms.includes(undefined)
      ? current
      : { ...current, $text: { $search: [...new Set(indexTerms)].join(' ') } };
    const sums: Document = Object.fromEntries(terms.map((term, i) => [nameOf(i), { $sum: occurrencesInPart(term) }]));
    const counting = [{ $match: wanted }, { $group: { _id: { put: '$put', field: '$field' }, ...sums } }];
    const counted = await this.#records.parts
      .aggregate<FieldCounts>(counting, { maxTimeMS: this.#deadline.remainingMs(), allowDiskUse: true })
      .toArray();
    return new Map(counted.map(({ _id: { put, field }, ...counts }) => [`${put} ${field}`, counts]));
  }
}

/** Whether two lists have the same entries with the same parts. */
export const hasSamePuts = (before: readonly LongEntry[], after: readonly LongEntry[]): boolean => {
  const puts = new Set(before.map(({ put }) => put));
  return before.length === after.length && after.every(({ put }) => puts.has(put));
};

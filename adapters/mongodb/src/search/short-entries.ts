import type { SearchQuery, SearchTerm } from '@palimpsest/core';
import type { Collection, Document } from 'mongodb';
import type { EntryRecord } from './entry-records.ts';
import { termsToFind } from './index-terms.ts';
import type { Ranked } from './ranking.ts';
import { matchesQuery, countTermsIn, frequencyScoreIn } from './term-expressions.ts';
import type { Deadline } from './deadline.ts';

// The server reads the words of each entry that contains one chosen index term of the query. So the search counts the
// entries of the longest terms, and chooses the term with the fewest. Measured with 10,000 entries: a word in all of
// them takes 1.8 s, the same word and a rare one 40 ms.
const COUNTED_TERMS = 4;
const COUNTED_ENTRIES = 200;

/** The number of short entries that match, and the total length of their texts. */
export interface Counted {
  readonly count: number;
  readonly length: number;
}

/** Searches the short entries of one owner. The server does all the work; no text is transferred. */
export class ShortEntries {
  readonly #entries: Collection<EntryRecord>;
  readonly #deadline: Deadline;
  readonly #query: SearchQuery;
  readonly #matching: Document;

  private constructor(entries: Collection<EntryRecord>, deadline: Deadline, query: SearchQuery, candidates: Document) {
    this.#entries = entries;
    this.#deadline = deadline;
    this.#query = query;
    const isQueryEmpty = query.all.length + query.none.length === 0;
    this.#matching = isQueryEmpty ? candidates : { ...candidates, $expr: matchesQuery(query) };
  }

  static async find(
    entries: Collection<EntryRecord>,
    deadline: Deadline,
    ownerId: string,
    query: SearchQuery,
  ): Promise<ShortEntries> {
    const owned = { ownerId, isLong: false };
    const withTerm = (term: string): Document => ({ ...owned, $text: { $search: term } });
    const [longest, ...others] = [...new Set(query.all.flatMap(termsToFind))]
      .toSorted((a, b) => b.length - a.length)
      .slice(0, COUNTED_TERMS);
    if (longest === undefined) return new ShortEntries(entries, deadline, query, owned);
    let best = { term: longest, count: 0 };
    if (others.length > 0) {
      const countOf = async (term: string) => ({
        term,
        count: await entries.countDocuments(withTerm(term), {
          limit: COUNTED_ENTRIES,
          maxTimeMS: deadline.remainingMs(),
        }),
      });
      const counted = await Promise.all([longest, ...others].map(countOf));
      best = counted.reduce((least, each) => (each.count < least.count ? each : least));
    }
    return new ShortEntries(entries, deadline, query, withTerm(best.term));
  }

  async count(): Promise<Counted> {
    const counting = [
      { $match: this.#matching },
      { $group: { _id: null, count: { $sum: 1 }, length: { $sum: '$length' } } },
    ];
    const [counted] = await this.#entries
      .aggregate<Counted>(counting, { maxTimeMS: this.#deadline.remainingMs() })
      .toArray();
    return { count: counted?.count ?? 0, length: counted?.length ?? 0 };
  }

  /** The matching entries, the best first; without terms, the newest first. */
  async list(
    { skip, limit }: { readonly skip: number; readonly limit: number },
    isRankedByText: boolean,
  ): Promise<readonly Ranked[]> {
    const terms: readonly SearchTerm[] = this.#query.all;
    const page = [{ $skip: skip }, { $limit: limit }];
    const ranks = {
      $project: {
        receivedAt: 1,
        titles: countTermsIn(terms, 'title'),
        filenames: countTermsIn(terms, 'filename'),
        frequency: isRankedByText ? frequencyScoreIn(terms) : { $literal: 0 },
      },
    };
    const newest = { receivedAt: -1, _id: -1 } as const;
    const best = { titles: -1, filenames: -1, frequency: -1, ...newest } as const;
    const sorted = terms.length === 0 ? [{ $sort: newest }, ...page, ranks] : [ranks, { $sort: best }, ...page];
    const options = { maxTimeMS: this.#deadline.remainingMs(), allowDiskUse: true };
    return this.#entries.aggregate<Ranked>([{ $match: this.#matching }, ...sorted], options).toArray();
  }
}

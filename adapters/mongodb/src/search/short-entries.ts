import type { SearchQuery, SearchTerm } from '@palimpsest/core';
import type { Collection, Document } from 'mongodb';
import type { EntryRecord } from './entry-records.ts';
import { termsToFind } from './index-terms.ts';
import type { Ranked } from './ranking.ts';
import { matchesQuery, namesWith, oftennessIn } from './term-expressions.ts';
import type { TimeLeft } from './deadline.ts';

// Of the index terms of a query the longest are tried, to go by the one that the fewest entries have.
const TRIED_TERMS = 4;
const TRIED_ENTRIES = 200;

/** The short entries that match, and the length of their texts. */
export interface Counted {
  readonly count: number;
  readonly length: number;
}

/** Searches the entries of one owner that are in one record each. The server looks at them; nothing of them comes here. */
export class ShortEntries {
  readonly #entries: Collection<EntryRecord>;
  readonly #time: TimeLeft;
  readonly #query: SearchQuery;
  readonly #matching: Document;

  private constructor(entries: Collection<EntryRecord>, time: TimeLeft, query: SearchQuery, candidates: Document) {
    this.#entries = entries;
    this.#time = time;
    this.#query = query;
    const isQueryEmpty = query.all.length + query.none.length === 0;
    this.#matching = isQueryEmpty ? candidates : { ...candidates, $expr: matchesQuery(query) };
  }

  static async find(
    entries: Collection<EntryRecord>,
    time: TimeLeft,
    ownerId: string,
    query: SearchQuery,
  ): Promise<ShortEntries> {
    const owned = { ownerId, isLong: false };
    const having = (term: string): Document => ({ ...owned, $text: { $search: term } });
    const [longest, ...others] = [...new Set(query.all.flatMap(termsToFind))]
      .toSorted((a, b) => b.length - a.length)
      .slice(0, TRIED_TERMS);
    if (longest === undefined) return new ShortEntries(entries, time, query, owned);
    let best = { term: longest, count: 0 };
    if (others.length > 0) {
      const countOf = async (term: string) => ({
        term,
        count: await entries.countDocuments(having(term), { limit: TRIED_ENTRIES, maxTimeMS: time.leftMs() }),
      });
      const counted = await Promise.all([longest, ...others].map(countOf));
      best = counted.reduce((least, each) => (each.count < least.count ? each : least));
    }
    return new ShortEntries(entries, time, query, having(best.term));
  }

  async count(): Promise<Counted> {
    const counting = [
      { $match: this.#matching },
      { $group: { _id: null, count: { $sum: 1 }, length: { $sum: '$length' } } },
    ];
    const [counted] = await this.#entries.aggregate<Counted>(counting, { maxTimeMS: this.#time.leftMs() }).toArray();
    return { count: counted?.count ?? 0, length: counted?.length ?? 0 };
  }

  /** What matches, the best first, or the newest first if there is no term to be good in. */
  async list(
    { skip, limit }: { readonly skip: number; readonly limit: number },
    isRankedByText: boolean,
  ): Promise<readonly Ranked[]> {
    const terms: readonly SearchTerm[] = this.#query.all;
    const page = [{ $skip: skip }, { $limit: limit }];
    const ranks = {
      $project: {
        receivedAt: 1,
        titles: namesWith(terms, 'title'),
        filenames: namesWith(terms, 'filename'),
        often: isRankedByText ? oftennessIn(terms) : { $literal: 0 },
      },
    };
    const newest = { receivedAt: -1, _id: -1 } as const;
    const best = { titles: -1, filenames: -1, often: -1, ...newest } as const;
    const inOrder = terms.length === 0 ? [{ $sort: newest }, ...page, ranks] : [ranks, { $sort: best }, ...page];
    const options = { maxTimeMS: this.#time.leftMs(), allowDiskUse: true };
    return this.#entries.aggregate<Ranked>([{ $match: this.#matching }, ...inOrder], options).toArray();
  }
}

import { parseSearchQuery, type SearchIndex } from '@palimpsest/core';

/** The result of a search of `owner-1`. */
export const found = async (index: SearchIndex, q: string): Promise<readonly string[]> =>
  (await index.search('owner-1', parseSearchQuery(q), { limit: 200, offset: 0 })).items;

/** The numbers from 1 to `count`. */
export const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

/** The query that matches all entries. */
export const EVERYTHING = { all: [], none: [] };

/** A matching document with its sort keys, the most important first. */
export interface Ranked {
  readonly _id: string;
  readonly titles: number; // the number of terms in the title
  readonly filenames: number; // the number of terms in the file name
  readonly frequency: number; // the frequency score of the terms in the text
  readonly receivedAt: number;
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts the best match first. */
export const byRank = (a: Ranked, b: Ranked): number =>
  b.titles - a.titles ||
  b.filenames - a.filenames ||
  b.frequency - a.frequency ||
  b.receivedAt - a.receivedAt ||
  compareTexts(b._id, a._id);

/** The range of the sorted entries that {@link mergePage} needs. */
export const neededRange = (
  fewCount: number,
  offset: number,
  limit: number,
): { readonly skip: number; readonly limit: number } => {
  const skip = Math.max(0, offset - fewCount);
  return { skip, limit: offset + limit - skip };
};

/**
 * Merges two lists and returns one page of the result. `sorted` is only the {@link neededRange} of a long sorted list.
 * `few` is a complete short list in any order. The range begins `few.length` entries before `offset`, because each of
 * the few entries can move the sorted entries back by one place.
 */
export const mergePage = (
  sorted: readonly Ranked[],
  few: readonly Ranked[],
  { skip, offset, limit }: { readonly skip: number; readonly offset: number; readonly limit: number },
): readonly Ranked[] => {
  const [first] = sorted;
  const sortedFew = few.toSorted(byRank);
  const isBefore = (each: Ranked): boolean => skip > 0 && (first === undefined || byRank(each, first) < 0);
  const before = sortedFew.filter(isBefore).length;
  const merged = [...sorted, ...sortedFew.slice(before)].sort(byRank);
  const start = offset - skip - before;
  return merged.slice(start, start + limit);
};

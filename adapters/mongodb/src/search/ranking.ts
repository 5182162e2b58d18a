/** A document that was found, and what its place depends on, what counts most first. */
export interface Ranked {
  readonly _id: string;
  readonly titles: number; // terms in the title
  readonly filenames: number;
  readonly often: number; // how often they are in the text
  readonly receivedAt: number;
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The best first. */
export const byRank = (a: Ranked, b: Ranked): number =>
  b.titles - a.titles ||
  b.filenames - a.filenames ||
  b.often - a.often ||
  b.receivedAt - a.receivedAt ||
  compareTexts(b._id, a._id);

/** What {@link mergedPage} is to be given of the many: from `skip` up to `limit`. */
export const neededOf = (
  fewCount: number,
  offset: number,
  limit: number,
): { readonly skip: number; readonly limit: number } => {
  const skip = Math.max(0, offset - fewCount);
  return { skip, limit: offset + limit - skip };
};

/**
 * From `offset` up to `limit` of the many and the few in one order. Of the many, which are in order, only those from `skip` on
 * are given, that many fewer than the few as {@link neededOf} says: however the few lie among them, none is missed.
 */
export const mergedPage = (
  many: readonly Ranked[],
  few: readonly Ranked[],
  { skip, offset, limit }: { readonly skip: number; readonly offset: number; readonly limit: number },
): readonly Ranked[] => {
  const [first] = many;
  const inOrder = few.toSorted(byRank);
  const isBefore = (each: Ranked): boolean => skip > 0 && (first === undefined || byRank(each, first) < 0);
  const before = inOrder.filter(isBefore).length;
  const merged = [...many, ...inOrder.slice(before)].sort(byRank);
  const start = offset - skip - before;
  return merged.slice(start, start + limit);
};

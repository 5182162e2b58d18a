/** Which part of a list is wanted. */
export interface PageRequest {
  readonly limit: number; // 1..MAX_LIMIT
  readonly offset: number; // >= 0
}

/** A part of a list and how many items the whole list has. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** The page that is given for the numbers asked for: a higher limit counts as {@link MAX_LIMIT}. */
export const pageRequest = (limit: number = DEFAULT_LIMIT, offset = 0): PageRequest => ({
  limit: Math.min(limit, MAX_LIMIT),
  offset,
});

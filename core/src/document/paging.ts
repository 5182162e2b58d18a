/** The requested part of a list. */
export interface PageRequest {
  readonly limit: number; // 1..MAX_LIMIT
  readonly offset: number; // >= 0
}

/** A part of a list, and the number of items in the whole list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** The page for the requested numbers. A higher limit is reduced to {@link MAX_LIMIT}. */
export const pageRequest = (limit: number = DEFAULT_LIMIT, offset = 0): PageRequest => ({
  limit: Math.min(limit, MAX_LIMIT),
  offset,
});

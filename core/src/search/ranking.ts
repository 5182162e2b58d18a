/** A search that takes longer is refused. */
export const SEARCH_TIMEOUT_MS = 10_000;

/**
 * The maximal number of characters (UTF-16 units) of all matching texts, times the number of terms. Above it, the rank
 * ignores the occurrences in texts, because counting them takes too long.
 */
export const MAX_COUNTED_CHARACTERS = 16 * 1024 * 1024;

const MEAN_LENGTH = 3000; // of a text, in characters

/** The constants of {@link frequencyScore}, for a store that computes it on its server. */
export const FREQUENCY_SCORE = { scale: 1e12, damping: 0.3, dampingPerCharacter: 0.9 / MEAN_LENGTH } as const;

/**
 * The score of a term in a text of `length` characters: a whole number from 0 to 10¹², so that sums do not depend on
 * the order of addition. More occurrences and a shorter text give a higher score. This is the term frequency of BM25
 * with the usual constants k1 = 1.2 and b = 0.75: `damping` is k1 * (1 - b), `dampingPerCharacter` is k1 * b / mean
 * length. The mean length is fixed, because the mean of all entries would make the order depend on other owners.
 */
export const frequencyScore = (occurrences: number, length: number): number => {
  const { scale, damping, dampingPerCharacter } = FREQUENCY_SCORE;
  return Math.floor((scale * occurrences) / (occurrences + (damping + dampingPerCharacter * length)));
};

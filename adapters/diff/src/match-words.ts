import { diffArrays } from 'diff';
import { dividedPassages, type Passage, type WordNumbers } from './anchors.ts';

/**
 * Limits of the search. A change is a deleted or inserted word. Time and memory grow with the square of the changes.
 */
export interface MatchLimits {
  /** Up to this number, changes are found exactly, without a time limit. */
  readonly fewChanges: number;
  /** Limits of the search for more changes. */
  readonly further?: FurtherLimits;
}

/** Limits of the search for more than a few changes. */
export interface FurtherLimits {
  /** Up to this number, changes are found exactly if the time allows. */
  readonly mostChanges: number;
  /** The same for each part of divided texts. */
  readonly mostChangesInPart: number;
  /** After this time, the rest counts as replaced. */
  readonly timeoutMs: number;
}

/** Receives a run of `count` equal words that starts at these indices. */
export type Keep = (fromFirst: number, toFirst: number, count: number) => void;

// Texts with many changes are divided at runs of eight words that occur once in both, then at pairs, then at single
// words. Long runs are tried first, because they are rarely equal by chance.
const RUN_LENGTHS = [8, 2, 1];

/**
 * Passes the common words of two lists to `keep`, in order. Returns `true` if no other result has fewer changes.
 * Returns `false` if there are more changes than the limits allow; then it keeps many common words, but maybe not as
 * many as possible. Words are numbers from 0 to `vocabulary` (exclusive).
 */
export const matchWords = (
  from: WordNumbers,
  to: WordNumbers,
  vocabulary: number,
  limits: MatchLimits,
  keep: Keep,
): boolean => {
  const balance = new Int32Array(vocabulary);

  /** A lower bound for the number of changes: the differences of the counts of each word, added up. */
  const leastChanges = ({ fromFirst, fromEnd, toFirst, toEnd }: Passage): number => {
    const count = (words: WordNumbers, first: number, end: number, by: number): void => {
      for (let i = first; i < end; i++) balance[words[i] ?? 0] = (balance[words[i] ?? 0] ?? 0) + by;
    };
    let least = 0;
    const addAndReset = (words: WordNumbers, first: number, end: number): void => {
      for (let i = first; i < end; i++) {
        least += Math.abs(balance[words[i] ?? 0] ?? 0);
        balance[words[i] ?? 0] = 0;
      }
    };
    count(from, fromFirst, fromEnd, 1);
    count(to, toFirst, toEnd, -1);
    addAndReset(from, fromFirst, fromEnd);
    addAndReset(to, toFirst, toEnd);
    return least;
  };

  const matchExactly = (passage: Passage, mostChanges: number, deadline: number): boolean => {
    const { fromFirst, fromEnd, toFirst, toEnd } = passage;
    if (fromEnd - fromFirst + toEnd - toFirst > mostChanges && leastChanges(passage) > mostChanges) return false;
    const changes = diffArrays(Array.from(from.subarray(fromFirst, fromEnd)), Array.from(to.subarray(toFirst, toEnd)), {
      maxEditLength: mostChanges,
      timeout: deadline - Date.now(),
    });
    if (changes === undefined) return false;
    let [x, y] = [fromFirst, toFirst];
    for (const { added, removed, count } of changes) {
      if (!added && !removed) keep(x, y, count);
      if (!added) x += count;
      if (!removed) y += count;
    }
    return true;
  };

  /** Keeps the common start and end of the passage, and passes the rest to `matchRest`. */
  const matchAround = (passage: Passage, matchRest: (rest: Passage) => boolean): boolean => {
    let { fromFirst, fromEnd, toFirst, toEnd } = passage;
    while (fromFirst < fromEnd && toFirst < toEnd && from[fromFirst] === to[toFirst]) {
      fromFirst++;
      toFirst++;
    }
    keep(passage.fromFirst, passage.toFirst, fromFirst - passage.fromFirst);
    while (fromFirst < fromEnd && toFirst < toEnd && from[fromEnd - 1] === to[toEnd - 1]) {
      fromEnd--;
      toEnd--;
    }
    const isExact = fromFirst === fromEnd || toFirst === toEnd || matchRest({ fromFirst, fromEnd, toFirst, toEnd });
    keep(fromEnd, toEnd, passage.fromEnd - fromEnd);
    return isExact;
  };

  const matchParts = (
    passage: Passage,
    [runLength, ...shorter]: readonly number[],
    most: number,
    deadline: number,
  ): void => {
    if (runLength === undefined) return;
    for (const part of dividedPassages(from, to, passage, runLength)) {
      matchAround(part, (rest) => {
        if (Date.now() >= deadline) return false;
        const isExact = matchExactly(rest, most, deadline);
        if (!isExact) matchParts(rest, shorter, most, deadline);
        return isExact;
      });
    }
  };

  return matchAround({ fromFirst: 0, fromEnd: from.length, toFirst: 0, toEnd: to.length }, (rest) => {
    if (matchExactly(rest, limits.fewChanges, Infinity)) return true;
    if (limits.further === undefined) return false;
    const { mostChanges, mostChangesInPart, timeoutMs } = limits.further;
    const deadline = Date.now() + timeoutMs;
    if (matchExactly(rest, mostChanges, deadline)) return true;
    matchParts(rest, RUN_LENGTHS, mostChangesInPart, deadline);
    return false;
  });
};

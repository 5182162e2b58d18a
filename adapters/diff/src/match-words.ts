import { diffArrays } from 'diff';
import { dividedPassages, type Passage, type WordNumbers } from './anchors.ts';

/** How much is tried. Changes are words taken out and put in; the time and the memory to find them grow with the square. */
export interface MatchLimits {
  /** So many changes are found exactly, however long it takes on a busy machine. */
  readonly fewChanges: number;
  /** What is tried then. */
  readonly further?: FurtherLimits;
}

/** How much is tried where there are more than few changes. */
export interface FurtherLimits {
  /** So many changes are found exactly if there is the time. */
  readonly mostChanges: number;
  /** The same in a part of texts that were divided. */
  readonly mostChangesInPart: number;
  /** What is not found in this time counts as replaced. */
  readonly timeoutMs: number;
}

/** So many words are the same from these places on. */
export type Keep = (fromFirst: number, toFirst: number, count: number) => void;

// Texts with many changes are divided at runs of eight words that both have once, where that is not enough at pairs, then
// at single words. Long runs come first: they are rarely alike by chance.
const RUN_LENGTHS = [8, 2, 1];

/**
 * Tells `keep` which words two lists share, in their order. Gives `true` if no other choice leaves fewer words over,
 * `false` if there is more to be changed than the limits let it look for; then many, but not always the most, are kept.
 * Words are numbers from 0 up to, and without, `vocabulary`.
 */
export const matchWords = (
  from: WordNumbers,
  to: WordNumbers,
  vocabulary: number,
  limits: MatchLimits,
  keep: Keep,
): boolean => {
  const balance = new Int32Array(vocabulary);

  /** So many words at least are taken out and put in, as their number in the two differs. */
  const leastChanges = ({ fromFirst, fromEnd, toFirst, toEnd }: Passage): number => {
    const count = (words: WordNumbers, first: number, end: number, by: number): void => {
      for (let i = first; i < end; i++) balance[words[i] ?? 0] = (balance[words[i] ?? 0] ?? 0) + by;
    };
    let least = 0;
    const take = (words: WordNumbers, first: number, end: number): void => {
      for (let i = first; i < end; i++) {
        least += Math.abs(balance[words[i] ?? 0] ?? 0);
        balance[words[i] ?? 0] = 0;
      }
    };
    count(from, fromFirst, fromEnd, 1);
    count(to, toFirst, toEnd, -1);
    take(from, fromFirst, fromEnd);
    take(to, toFirst, toEnd);
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

  /** Keeps what the passage begins and ends with in both, and leaves what is between to `matchRest`. */
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

import { diffArrays } from 'diff';
import { dividedPassages, type Passage, type WordNumbers } from './anchors.ts';

/** How much is tried. */
export interface MatchLimits {
  /** The most words taken out and put in that are looked for exactly: time and memory grow with the square. */
  readonly mostChanges: number;
  /** The same in a part of texts that were divided. Without it they are not divided. */
  readonly mostChangesInPart?: number;
  /** By the clock of `Date.now`. What is not found until then counts as replaced. */
  readonly deadline: number;
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
export const matchWords = (from: WordNumbers, to: WordNumbers, vocabulary: number, limits: MatchLimits, keep: Keep): boolean => {
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

  const matchExactly = (passage: Passage, mostChanges: number): boolean => {
    const { fromFirst, fromEnd, toFirst, toEnd } = passage;
    if (Date.now() >= limits.deadline) return false;
    if (fromEnd - fromFirst + toEnd - toFirst > mostChanges && leastChanges(passage) > mostChanges) return false;
    const changes = diffArrays(from.slice(fromFirst, fromEnd), to.slice(toFirst, toEnd), {
      maxEditLength: mostChanges,
      timeout: limits.deadline - Date.now(),
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

  const match = (passage: Passage, mostChanges: number, [runLength, ...shorter]: readonly number[]): boolean => {
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
    const rest = { fromFirst, fromEnd, toFirst, toEnd };
    const isExact = fromFirst === fromEnd || toFirst === toEnd || matchExactly(rest, mostChanges);
    if (!isExact && runLength !== undefined && limits.mostChangesInPart !== undefined && Date.now() < limits.deadline) {
      for (const part of dividedPassages(from, to, rest, runLength)) match(part, limits.mostChangesInPart, shorter);
    }
    keep(fromEnd, toEnd, passage.fromEnd - fromEnd);
    return isExact;
  };

  return match({ fromFirst: 0, fromEnd: from.length, toFirst: 0, toEnd: to.length }, limits.mostChanges, RUN_LENGTHS);
};

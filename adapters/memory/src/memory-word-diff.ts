import { collectChanges, wordsOf, type Cancellation, type TextChange, type WordDiff } from '@palimpsest/core';

interface TextWord {
  readonly text: string;
  readonly start: number;
}

/** `count` equal words that start at these indexes of the two lists. */
interface EqualRun {
  readonly fromFirst: number;
  readonly toFirst: number;
  readonly count: number;
}

const MAX_CHANGES = 600; // deleted and inserted words; memory grows with the square
const MAX_STEPS = 20_000_000; // compared words; repetitive texts need many comparisons
const WORDS_PER_PAUSE = 5_000;

/** Lets other work run. Throws the reason of `signal` if it was aborted meanwhile. */
const pause = async (signal: Cancellation): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
};

const readWords = async (text: string, signal: Cancellation): Promise<readonly TextWord[]> => {
  const words: TextWord[] = [];
  for (const { 0: word, index } of wordsOf(text)) {
    words.push({ text: word, start: index });
    if (words.length % WORDS_PER_PAUSE === 0) await pause(signal);
  }
  return words;
};

/** The equal words on the shortest path to the end of both lists, last first. */
const backtrack = (
  fronts: readonly ReadonlyMap<number, number>[],
  fromLength: number,
  toLength: number,
): readonly EqualRun[] => {
  const runs: EqualRun[] = [];
  let [x, y] = [fromLength, toLength];
  for (const front of fronts.toReversed()) {
    const diagonal = x - y;
    const [inserted, deleted] = [front.get(diagonal + 1) ?? -1, (front.get(diagonal - 1) ?? -2) + 1];
    const start = Math.max(inserted, deleted);
    runs.push({ fromFirst: start, toFirst: start - diagonal, count: x - start });
    [x, y] = inserted >= deleted ? [start, start - diagonal - 1] : [start - 1, start - diagonal];
  }
  return runs;
};

/**
 * The equal words on a shortest path from one list to the other, last first. Empty above `MAX_CHANGES` or `MAX_STEPS`.
 * E. W. Myers, An O(ND) Difference Algorithm and Its Variations, 1986, sections 2 and 3.
 */
const equalRuns = async (
  from: readonly TextWord[],
  to: readonly TextWord[],
  signal: Cancellation,
): Promise<readonly EqualRun[]> => {
  const fronts: ReadonlyMap<number, number>[] = []; // by number of changes: the furthest index in `from`, by diagonal
  let front: ReadonlyMap<number, number> = new Map([[1, 0]]);
  let steps = 0;
  for (let changes = 0; changes <= MAX_CHANGES && steps < MAX_STEPS; changes++) {
    fronts.push(front);
    const next = new Map<number, number>();
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = Math.max(front.get(diagonal + 1) ?? -1, (front.get(diagonal - 1) ?? -2) + 1);
      if (x < 0) continue; // outside both lists
      while (x < from.length && x - diagonal < to.length && from[x]?.text === to[x - diagonal]?.text) {
        x++;
        if (++steps % WORDS_PER_PAUSE === 0) await pause(signal);
      }
      if (x <= from.length && x - diagonal <= to.length) next.set(diagonal, x);
      if (x >= from.length && x - diagonal >= to.length) return backtrack(fronts, from.length, to.length);
      if (++steps % WORDS_PER_PAUSE === 0) await pause(signal);
    }
    front = next;
  }
  return [];
};

/**
 * Compares texts word by word. If more than 600 words differ, one change covers the text from the first to the last.
 */
export class MemoryWordDiff implements WordDiff {
  async compare(from: string, to: string, signal: Cancellation): Promise<readonly TextChange[]> {
    signal.throwIfAborted();
    const fromWords = await readWords(from, signal);
    const toWords = await readWords(to, signal);
    const changes = collectChanges(from, to);
    const keep = async (count: number, fromFirst: number, toFirst: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const [fromWord, toWord] = [fromWords[fromFirst + i], toWords[toFirst + i]];
        if (fromWord && toWord) changes.keep(fromWord.start, toWord.start, fromWord.text.length);
        if (i % WORDS_PER_PAUSE === WORDS_PER_PAUSE - 1) await pause(signal);
      }
    };

    const shorter = Math.min(fromWords.length, toWords.length);
    let prefix = 0;
    while (prefix < shorter && fromWords[prefix]?.text === toWords[prefix]?.text) prefix++;
    let suffix = 0;
    while (suffix < shorter - prefix && fromWords.at(-1 - suffix)?.text === toWords.at(-1 - suffix)?.text) suffix++;

    await keep(prefix, 0, 0);
    const [fromRest, toRest] = [
      fromWords.slice(prefix, fromWords.length - suffix),
      toWords.slice(prefix, toWords.length - suffix),
    ];
    const runs = await equalRuns(fromRest, toRest, signal);
    for (const { count, fromFirst, toFirst } of runs.toReversed())
      await keep(count, prefix + fromFirst, prefix + toFirst);
    await keep(suffix, fromWords.length - suffix, toWords.length - suffix);
    return changes.end();
  }
}

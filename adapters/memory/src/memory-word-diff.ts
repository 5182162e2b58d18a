import { collectChanges, wordsOf, type Cancellation, type TextChange, type WordDiff } from '@palimpsest/core';

interface TextWord {
  readonly text: string;
  readonly start: number;
}

/** So many equal words, from these places on. */
interface EqualRun {
  readonly fromFirst: number;
  readonly toFirst: number;
  readonly count: number;
}

const MOST_CHANGES = 600; // words taken out and put in; the paths kept grow with the square
const MOST_STEPS = 20_000_000; // words looked at; texts that repeat themselves take many
const WORDS_PER_TURN = 5_000;

/** Lets others have their turn. Throws the reason of `signal` if it is aborted then. */
const turn = async (signal: Cancellation): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
};

const readWords = async (text: string, signal: Cancellation): Promise<readonly TextWord[]> => {
  const words: TextWord[] = [];
  for (const { 0: word, index } of wordsOf(text)) {
    words.push({ text: word, start: index });
    if (words.length % WORDS_PER_TURN === 0) await turn(signal);
  }
  return words;
};

/** The equal words on the way that ends at the end of both lists, the last first. */
const wayBack = (
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
 * The equal words on a shortest way from one list to the other, the last first; none if more than `MOST_CHANGES`
 * words differ or it takes too many steps. E. W. Myers, An O(ND) Difference Algorithm and Its Variations, 1986, sections 2 and 3.
 */
const equalRuns = async (
  from: readonly TextWord[],
  to: readonly TextWord[],
  signal: Cancellation,
): Promise<readonly EqualRun[]> => {
  const fronts: ReadonlyMap<number, number>[] = []; // by changes made: the furthest place in `from`, by diagonal
  let front: ReadonlyMap<number, number> = new Map([[1, 0]]);
  let steps = 0;
  for (let changes = 0; changes <= MOST_CHANGES && steps < MOST_STEPS; changes++) {
    fronts.push(front);
    const next = new Map<number, number>();
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = Math.max(front.get(diagonal + 1) ?? -1, (front.get(diagonal - 1) ?? -2) + 1);
      if (x < 0) continue; // beyond both lists
      while (x < from.length && x - diagonal < to.length && from[x]?.text === to[x - diagonal]?.text) {
        x++;
        if (++steps % WORDS_PER_TURN === 0) await turn(signal);
      }
      if (x <= from.length && x - diagonal <= to.length) next.set(diagonal, x);
      if (x >= from.length && x - diagonal >= to.length) return wayBack(fronts, from.length, to.length);
      if (++steps % WORDS_PER_TURN === 0) await turn(signal);
    }
    front = next;
  }
  return [];
};

/** Texts compared in memory. Where more than 600 words differ, all between the first and the last of them is replaced. */
export class MemoryWordDiff implements WordDiff {
  async compare(from: string, to: string, signal: Cancellation): Promise<readonly TextChange[]> {
    signal.throwIfAborted();
    const fromWords = await readWords(from, signal);
    const toWords = await readWords(to, signal);
    const changes = collectChanges(from, to);
    const keep = async (count: number, fromFirst: number, toFirst: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const [here, there] = [fromWords[fromFirst + i], toWords[toFirst + i]];
        if (here && there) changes.keep(here.start, there.start, here.text.length);
        if (i % WORDS_PER_TURN === WORDS_PER_TURN - 1) await turn(signal);
      }
    };

    const shorter = Math.min(fromWords.length, toWords.length);
    let ahead = 0;
    while (ahead < shorter && fromWords[ahead]?.text === toWords[ahead]?.text) ahead++;
    let behind = 0;
    while (behind < shorter - ahead && fromWords.at(-1 - behind)?.text === toWords.at(-1 - behind)?.text) behind++;

    await keep(ahead, 0, 0);
    const [fromRest, toRest] = [
      fromWords.slice(ahead, fromWords.length - behind),
      toWords.slice(ahead, toWords.length - behind),
    ];
    const runs = await equalRuns(fromRest, toRest, signal);
    for (const { count, fromFirst, toFirst } of runs.toReversed())
      await keep(count, ahead + fromFirst, ahead + toFirst);
    await keep(behind, fromWords.length - behind, toWords.length - behind);
    return changes.end();
  }
}

/** A part of two lists of words, from a first index to an end index (exclusive). */
export interface Passage {
  readonly fromFirst: number;
  readonly fromEnd: number;
  readonly toFirst: number;
  readonly toEnd: number;
}

/** The words of a text as numbers: equal words have equal numbers. */
export type WordNumbers = Int32Array;

const NONE = -1;
const REPEATED = -2;

/** Calls `onRun` with the start index and the hash of each run of `length` words. */
const eachRun = (
  words: WordNumbers,
  first: number,
  end: number,
  length: number,
  onRun: (index: number, hash: number) => void,
): void => {
  for (let index = first; index + length <= end; index++) {
    let hash = 0;
    // The step of FNV-1a. The only effect of a hash collision is that a possible dividing point is not found.
    for (let i = index; i < index + length; i++) hash = Math.imul(hash ^ (words[i] ?? 0), 0x01000193);
    onRun(index, hash);
  }
};

/**
 * For each index in the `from` passage: the index in `to` of the same run, if the run occurs exactly once in both
 * passages; otherwise a negative number.
 */
const sharedOnce = (from: WordNumbers, to: WordNumbers, passage: Passage, length: number): Int32Array => {
  const { fromFirst, fromEnd, toFirst, toEnd } = passage;
  const indexByHash = new Map<number, number>();
  eachRun(
    from,
    fromFirst,
    fromEnd,
    length,
    (index, hash) => void indexByHash.set(hash, indexByHash.has(hash) ? REPEATED : index - fromFirst),
  );
  const partners = new Int32Array(fromEnd - fromFirst).fill(NONE);
  eachRun(to, toFirst, toEnd, length, (index, hash) => {
    const partner = indexByHash.get(hash) ?? REPEATED;
    if (partner !== REPEATED) partners[partner] = partners[partner] === NONE ? index : REPEATED;
  });
  return partners;
};

/** The longest increasing subsequence of `partners`, as indices (M. L. Fredman, 1975; as in patience sorting). */
const longestIncreasing = (partners: Int32Array): readonly number[] => {
  const tails: number[] = []; // by length of a subsequence: the index that ends it with the lowest partner
  const before = new Int32Array(partners.length).fill(NONE);
  for (let index = 0; index < partners.length; index++) {
    const partner = partners[index] ?? NONE;
    if (partner < 0) continue;
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((partners[tails[middle] ?? 0] ?? 0) < partner) low = middle + 1;
      else high = middle;
    }
    before[index] = tails[low - 1] ?? NONE;
    tails[low] = index;
  }
  const indices: number[] = [];
  for (let index = tails.at(-1) ?? NONE; index !== NONE; index = before[index] ?? NONE) indices.push(index);
  return indices.toReversed();
};

/**
 * Divides a passage at the starts of runs of `runLength` words that occur exactly once in both texts, in the order of
 * both ("patience diff" by Bram Cohen). Returns the whole passage if there are none.
 */
export const dividedPassages = (
  from: WordNumbers,
  to: WordNumbers,
  passage: Passage,
  runLength: number,
): readonly Passage[] => {
  const partners = sharedOnce(from, to, passage, runLength);
  const parts: Passage[] = [];
  let { fromFirst, toFirst } = passage;
  let last = NONE;
  for (const index of longestIncreasing(partners)) {
    const partner = partners[index] ?? 0;
    // Runs that follow each other in both texts stay in one part.
    const isContinued = last !== NONE && index === last + 1 && partner === (partners[last] ?? 0) + 1;
    last = index;
    if (isContinued) continue;
    const [fromEnd, toEnd] = [passage.fromFirst + index, partner];
    if (fromEnd > fromFirst || toEnd > toFirst) parts.push({ fromFirst, fromEnd, toFirst, toEnd });
    [fromFirst, toFirst] = [fromEnd, toEnd];
  }
  return [...parts, { ...passage, fromFirst, toFirst }];
};

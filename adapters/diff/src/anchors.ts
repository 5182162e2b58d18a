/** A part of two lists of words: from a first place up to, and without, an end. */
export interface Passage {
  readonly fromFirst: number;
  readonly fromEnd: number;
  readonly toFirst: number;
  readonly toEnd: number;
}

/** The words of a text, as numbers: equal words have equal numbers. */
export type WordNumbers = Int32Array;

const NONE = -1;
const REPEATED = -2;

/** Calls `see` with each run of so many words: where it starts, and a number that equal runs share. */
const eachRun = (
  words: WordNumbers,
  first: number,
  end: number,
  length: number,
  see: (place: number, hash: number) => void,
): void => {
  for (let place = first; place + length <= end; place++) {
    let hash = 0;
    // The step of FNV-1a. Runs that share a number by chance cost a good place to divide, and nothing else.
    for (let i = place; i < place + length; i++) hash = Math.imul(hash ^ (words[i] ?? 0), 0x01000193);
    see(place, hash);
  }
};

/** Where in `to` the run stands that both have exactly once, by its place in the passage of `from`. */
const sharedOnce = (from: WordNumbers, to: WordNumbers, passage: Passage, length: number): Int32Array => {
  const { fromFirst, fromEnd, toFirst, toEnd } = passage;
  const places = new Map<number, number>();
  eachRun(
    from,
    fromFirst,
    fromEnd,
    length,
    (place, hash) => void places.set(hash, places.has(hash) ? REPEATED : place - fromFirst),
  );
  const partners = new Int32Array(fromEnd - fromFirst).fill(NONE);
  eachRun(to, toFirst, toEnd, length, (place, hash) => {
    const partner = places.get(hash) ?? REPEATED;
    if (partner !== REPEATED) partners[partner] = partners[partner] === NONE ? place : REPEATED;
  });
  return partners;
};

/** The longest choice of places whose partners rise, as places. M. L. Fredman, 1975; as in "patience" sorting. */
const longestRising = (partners: Int32Array): readonly number[] => {
  const tails: number[] = []; // by length of a rising choice: the place that ends it with the lowest partner
  const before = new Int32Array(partners.length).fill(NONE);
  for (let place = 0; place < partners.length; place++) {
    const partner = partners[place] ?? NONE;
    if (partner < 0) continue;
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((partners[tails[middle] ?? 0] ?? 0) < partner) low = middle + 1;
      else high = middle;
    }
    before[place] = tails[low - 1] ?? NONE;
    tails[low] = place;
  }
  const rising: number[] = [];
  for (let place = tails.at(-1) ?? NONE; place !== NONE; place = before[place] ?? NONE) rising.push(place);
  return rising.toReversed();
};

/**
 * Divides a passage where runs of so many words begin that both texts have exactly once ("patience diff", by Bram Cohen),
 * taken in the order of both. Gives the passage whole if there are none.
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
  for (const place of longestRising(partners)) {
    const partner = partners[place] ?? 0;
    // Neighbours that go on together stay in one part.
    const goesOn = last !== NONE && place === last + 1 && partner === (partners[last] ?? 0) + 1;
    last = place;
    if (goesOn) continue;
    const [fromEnd, toEnd] = [passage.fromFirst + place, partner];
    if (fromEnd > fromFirst || toEnd > toFirst) parts.push({ fromFirst, fromEnd, toFirst, toEnd });
    [fromFirst, toFirst] = [fromEnd, toEnd];
  }
  return [...parts, { ...passage, fromFirst, toFirst }];
};

import { collectChanges, wordsOf, type TextChange } from '@palimpsest/core';
import type { WordNumbers } from './anchors.ts';
import { matchWords, type MatchLimits } from './match-words.ts';

interface ReadText {
  readonly words: WordNumbers;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
}

/** The result of a comparison. */
export interface Comparison {
  readonly changes: readonly TextChange[];
  readonly isExact: boolean; // no other result has fewer changed words
}

const readText = (text: string, numbers: Map<string, number>): ReadText => {
  // Long enough for one word per character. The operating system allocates only the part that is written.
  const [words, starts, lengths] = [
    new Int32Array(text.length),
    new Int32Array(text.length),
    new Int32Array(text.length),
  ];
  let count = 0;
  for (const { 0: word, index } of wordsOf(text)) {
    let number = numbers.get(word);
    if (number === undefined) numbers.set(word, (number = numbers.size));
    words[count] = number;
    starts[count] = index;
    lengths[count] = word.length;
    count++;
  }
  return { words: words.subarray(0, count), starts, lengths };
};

/** Two texts to compare. */
export interface TextPair {
  readonly from: string;
  readonly to: string;
}

/**
 * Compares two texts as `WordDiff` promises, within limits. It blocks the thread. Splitting 5 MiB into words takes
 * about 0.1 s (0.5 s for one-letter words), which the time limit does not include.
 */
export const compareTexts = ({ from, to }: TextPair, limits: MatchLimits): Comparison => {
  const numbers = new Map<string, number>();
  const [here, there] = [readText(from, numbers), readText(to, numbers)];
  const changes = collectChanges(from, to);
  const keep = (fromFirst: number, toFirst: number, count: number): void => {
    for (let x = fromFirst, y = toFirst; x < fromFirst + count; x++, y++) {
      changes.keep(here.starts[x] ?? 0, there.starts[y] ?? 0, here.lengths[x] ?? 0);
    }
  };
  const isExact = matchWords(here.words, there.words, numbers.size, limits, keep);
  return { changes: changes.end(), isExact };
};

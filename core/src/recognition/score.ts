import type { PageText, Word } from './page.ts';

const LETTERS = /[\p{L}\p{N}]/gu;
const MIN_COUNTED_CONFIDENCE = 0.6;
const ZERO_WEIGHT_CONFIDENCE = 0.4; // the weight of a word is the difference of its confidence to this value
const MIN_IMPROVEMENT = 1.03; // factor

/** The number of letters and digits of a word. */
export const lettersIn = (word: Pick<Word, 'text'>): number => word.text.match(LETTERS)?.length ?? 0;

/**
 * The score of a reading, >= 0: its letters weighted by the engine's confidence. Noise that was read as words has a low
 * confidence and is not counted. Of two readings of one page, the one with the higher score has the better text.
 */
export const scoreReading = (reading: PageText): number =>
  reading.words
    .filter((word) => word.confidence >= MIN_COUNTED_CONFIDENCE)
    .reduce((sum, word) => sum + (word.confidence - ZERO_WEIGHT_CONFIDENCE) * lettersIn(word), 0);

/** Whether the score of a variant is so much higher that the variant replaces the result with the score `than`. */
export const isClearlyBetter = (score: number, than: number): boolean => score > than * MIN_IMPROVEMENT;

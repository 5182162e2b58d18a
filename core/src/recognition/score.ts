import type { PageText, Word } from './page.ts';

const LETTERS = /[\p{L}\p{N}]/gu;
const COUNTED_FROM = 0.6;
const WORTH_ABOVE = 0.4;
const NOTABLE_RISE = 1.03;

/** The number of letters and digits of a word. */
export const lettersIn = (word: Pick<Word, 'text'>): number => word.text.match(LETTERS)?.length ?? 0;

/**
 * The score of a reading, >= 0: its letters weighted by the engine's confidence. Noise that was read as words has a low
 * confidence and counts nothing, so that of two readings of one page the higher score is the better text.
 */
export const scoreReading = (reading: PageText): number =>
  reading.words
    .filter((word) => word.confidence >= COUNTED_FROM)
    .reduce((sum, word) => sum + (word.confidence - WORTH_ABOVE) * lettersIn(word), 0);

/** Whether a variant's score is so much higher that the variant replaces the other. */
export const isNotablyBetter = (score: number, than: number): boolean => score > than * NOTABLE_RISE;

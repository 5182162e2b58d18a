import type { Word } from './page.ts';

type CompactWord = readonly [
  text: string,
  confidence: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  line: number,
  block: number,
];

/** The words of a page as compact JSON for a store: half the size of plain JSON. */
export const compactWords = (words: readonly Word[]): string =>
  JSON.stringify(
    words.map(({ text, confidence, bbox, line, block }): CompactWord => [text, confidence, ...bbox, line, block]),
  );

/** The words from the JSON of {@link compactWords}. */
export const wordsFromCompact = (json: string): readonly Word[] => {
  const compact: readonly CompactWord[] = JSON.parse(json);
  return compact.map(([text, confidence, x0, y0, x1, y1, line, block]) => ({
    text,
    confidence,
    bbox: [x0, y0, x1, y1],
    line,
    block,
  }));
};

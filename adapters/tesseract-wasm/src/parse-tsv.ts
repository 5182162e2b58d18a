import type { Word } from '@palimpsest/core';

const WORD_LEVEL = 5;

/** The number of `key` in the order in which keys are seen. */
const numberIn = (seen: Map<string, number>, key: string): number => {
  const number = seen.get(key) ?? seen.size;
  seen.set(key, number);
  return number;
};

/**
 * The words of Tesseract's TSV output: level, page, block, paragraph, line, word, left, top, width, height, confidence
 * (0..100), text. Lines and blocks are numbered through the page, in the order in which they come.
 */
export const parseTsv = (tsv: string): readonly Word[] => {
  const words: Word[] = [];
  const lines = new Map<string, number>();
  const blocks = new Map<string, number>();
  for (const row of tsv.split('\n')) {
    const [level, page, block, paragraph, line, , left, top, width, height, confidence, ...rest] = row.split('\t');
    const text = rest.join('\t').trim();
    if (Number(level) !== WORD_LEVEL || text === '') continue;
    words.push({
      text,
      confidence: Math.min(Math.max(Number(confidence) / 100, 0), 1),
      bbox: [Number(left), Number(top), Number(left) + Number(width), Number(top) + Number(height)],
      line: numberIn(lines, [page, block, paragraph, line].join('.')),
      block: numberIn(blocks, [page, block].join('.')),
    });
  }
  return words;
};

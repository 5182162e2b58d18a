import type { PageText, Word } from './page.ts';

const WORD_LEVEL = 5;

/** The number of `key` in the order of first occurrence. */
const numberIn = (seen: Map<string, number>, key: string): number => {
  const number = seen.get(key) ?? seen.size;
  seen.set(key, number);
  return number;
};

/**
 * The words of Tesseract's TSV output. Its columns are level, page, block, paragraph, line, word, left, top, width,
 * height, confidence (0..100), text. The result numbers lines and blocks over the whole page, in their order, and omits
 * rows that are not words with a box. Source: `TessBaseAPI::GetTSVText` of Tesseract 5.
 */
export const readTesseractTsv = (tsv: string): readonly Word[] => {
  const words: Word[] = [];
  const lines = new Map<string, number>();
  const blocks = new Map<string, number>();
  for (const row of tsv.split('\n')) {
    const [level, page, block, paragraph, line, , ...rest] = row.split('\t');
    const [left = Number.NaN, top = Number.NaN, width = Number.NaN, height = Number.NaN, confidence = Number.NaN] = rest
      .slice(0, 5)
      .map(Number);
    const text = rest.slice(5).join('\t').trim();
    const isPlaced = [left, top, width, height].every(Number.isSafeInteger) && !Number.isNaN(confidence);
    if (Number(level) !== WORD_LEVEL || text === '' || !isPlaced) continue;
    words.push({
      text,
      confidence: Math.min(Math.max(confidence / 100, 0), 1),
      bbox: [left, top, left + width, top + height],
      line: numberIn(lines, [page, block, paragraph, line].join('.')),
      block: numberIn(blocks, [page, block].join('.')),
    });
  }
  return words;
};

/** The result of an engine from its text and its words. Without words the text is empty. */
export const pageTextOf = (text: string, words: readonly Word[]): PageText => {
  const sum = words.reduce((total, word) => total + word.confidence, 0);
  return words.length === 0
    ? { text: '', confidence: 0, words }
    : { text: text.trimEnd(), confidence: sum / words.length, words };
};

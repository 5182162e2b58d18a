import type { Size } from './geometry.ts';
import type { BoundingBox, PageText, Word } from './page.ts';
import { typicalWordHeight } from './preparation.ts';
import { lettersIn } from './score.ts';

/** Words in large letters with a low confidence, and the region of the image to read again. */
export interface DoubtfulHeadline {
  readonly words: readonly Word[]; // consecutive words of one line
  readonly region: BoundingBox; // within the image, whole pixels
}

// An engine scales the whole page so that its typical letters are about 30 pixels high. Titles that are several times as
// large then get a low confidence. The engine reads them well if they are cropped and scaled down.
const LARGE = 2; // times the typical height of words
const DOUBTFUL = 0.6; // a lower confidence is doubtful
const MIN_LETTERS = 3;
const MARGIN = 0.25; // of the height
const MAX_HEADLINES = 2;
const MIN_CONFIDENCE_GAIN = 0.15;
/** The height in pixels that the region of a headline is scaled to before it is read again. */
export const HEADLINE_HEIGHT_PX = 120;

/** The mean confidence of the words, weighted by their letters; 0 without words. */
const confidenceOf = (words: readonly Word[]): number => {
  const letters = words.reduce((sum, word) => sum + lettersIn(word), 0);
  return letters === 0 ? 0 : words.reduce((sum, word) => sum + word.confidence * lettersIn(word), 0) / letters;
};

const around = (words: readonly Word[], { width, height }: Size): BoundingBox => {
  const [x0, y0, x1, y1] = [
    Math.min(...words.map(({ bbox }) => bbox[0])),
    Math.min(...words.map(({ bbox }) => bbox[1])),
    Math.max(...words.map(({ bbox }) => bbox[2])),
    Math.max(...words.map(({ bbox }) => bbox[3])),
  ];
  const margin = Math.round((y1 - y0) * MARGIN);
  return [
    Math.max(0, x0 - margin),
    Math.max(0, y0 - margin),
    Math.min(width, x1 + margin),
    Math.min(height, y1 + margin),
  ];
};

/** The doubtful headlines of a page that was read on an image of `size`, two at most. */
export const doubtfulHeadlines = ({ words }: PageText, size: Size): readonly DoubtfulHeadline[] => {
  const typical = typicalWordHeight(words);
  if (typical === undefined) return [];
  const isLarge = (word: Word): boolean =>
    lettersIn(word) >= MIN_LETTERS && word.bbox[3] - word.bbox[1] >= LARGE * typical;
  const groups: Word[][] = [];
  let previous: Word | undefined;
  for (const word of words) {
    if (isLarge(word)) {
      if (previous?.line === word.line && isLarge(previous)) groups.at(-1)?.push(word);
      else groups.push([word]);
    }
    previous = word;
  }
  return groups
    .filter((group) => confidenceOf(group) < DOUBTFUL)
    .slice(0, MAX_HEADLINES)
    .map((group) => ({ words: group, region: around(group, size) }));
};

const lineText = (words: readonly Word[]): string => words.map((word) => word.text).join(' ');

/**
 * `reading` with the headline replaced by `secondReading`, which was read on an image of the headline's region, of size
 * `regionImage`. `undefined` if the second reading is not one line or its confidence is not clearly higher, or if the
 * text does not contain the headline's words.
 */
export const withHeadline = <T extends PageText>(
  reading: T,
  { words: before, region: [left, top, right, bottom] }: DoubtfulHeadline,
  secondReading: PageText,
  regionImage: Size,
): T | undefined => {
  const [first] = before;
  const isOneLine = new Set(secondReading.words.map((word) => word.line)).size === 1;
  if (!first || !isOneLine || confidenceOf(secondReading.words) < confidenceOf(before) + MIN_CONFIDENCE_GAIN)
    return undefined;
  const [scaleX, scaleY] = [(right - left) / regionImage.width, (bottom - top) / regionImage.height];
  const { line, block } = first;
  const replaced = secondReading.words.map((word): Word => ({
    ...word,
    line,
    block,
    bbox: [
      Math.floor(left + word.bbox[0] * scaleX),
      Math.floor(top + word.bbox[1] * scaleY),
      Math.ceil(left + word.bbox[2] * scaleX),
      Math.ceil(top + word.bbox[3] * scaleY),
    ],
  }));
  const words = reading.words.flatMap((word) => (word === first ? replaced : before.includes(word) ? [] : [word]));
  const ofLine = (all: readonly Word[]): string => lineText(all.filter((word) => word.line === line));
  const lines = reading.text.split('\n');
  const at = lines.findIndex((text) => text.trim().replace(/\s+/g, ' ') === ofLine(reading.words));
  if (at < 0) return undefined;
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
  return { ...reading, text: lines.with(at, ofLine(words)).join('\n'), words, confidence };
};

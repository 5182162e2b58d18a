import type { BoundingBox, Word } from '@palimpsest/core';

/** A character of a text layer with its box in pixels. A character outside the page has no box. */
export interface PlacedCharacter {
  readonly text: string;
  readonly box: BoundingBox | undefined;
}

interface Line {
  readonly words: { text: string; box: BoundingBox }[];
}

const PARAGRAPH_GAP = 0.9; // line heights; a larger vertical gap separates paragraphs
const SAME_LINE_OVERLAP = 0.4; // share of the line height; pieces of one line overlap more
const SAME_LINE_GAP = 1.5; // line heights; pieces of one line have a smaller horizontal gap

const union = (a: BoundingBox, b: BoundingBox): BoundingBox => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

const gatherLines = (characters: Iterable<PlacedCharacter>): Line[] => {
  const lines: Line[] = [];
  let line: Line = { words: [] };
  let word: { text: string; box: BoundingBox } | undefined;
  const endWord = (): void => {
    if (word !== undefined) line.words.push(word);
    word = undefined;
  };
  const endLine = (): void => {
    endWord();
    if (line.words.length > 0) lines.push(line);
    line = { words: [] };
  };
  for (const { text, box } of characters) {
    if (text === '\n' || text === '\r') endLine();
    else if (/^\s*$/.test(text)) endWord();
    else if (word === undefined) word = box && { text, box };
    else word = { text: word.text + text, box: box === undefined ? word.box : union(word.box, box) };
  }
  endLine();
  return lines;
};

const boxOf = (line: Line): BoundingBox => line.words.map(({ box }) => box).reduce(union);

/**
 * The vertical overlap of two lines as a share of the height of the smaller one; at most 1, negative if they are apart.
 */
const overlap = (a: BoundingBox, b: BoundingBox): number =>
  (Math.min(a[3], b[3]) - Math.max(a[1], b[1])) / Math.min(a[3] - a[1], b[3] - b[1]);

/**
 * PDFium ends a line at a raised or lowered character. The next piece belongs to the same line if it is close to the
 * right.
 */
const continues = (line: BoundingBox, previous: BoundingBox): boolean => {
  const gap = line[0] - previous[2];
  const height = Math.max(line[3] - line[1], previous[3] - previous[1]);
  return overlap(line, previous) > SAME_LINE_OVERLAP && gap > -height && gap < SAME_LINE_GAP * height;
};

const joinPieces = (lines: readonly Line[]): Line[] => {
  const joined: Line[] = [];
  for (const line of lines) {
    const previous = joined.at(-1);
    if (previous !== undefined && continues(boxOf(line), boxOf(previous))) previous.words.push(...line.words);
    else joined.push(line);
  }
  return joined;
};

/** Whether a line starts a paragraph or a column: it is far below the previous line, or above it. */
const startsBlock = (line: BoundingBox, previous: BoundingBox): boolean => {
  const height = Math.min(line[3] - line[1], previous[3] - previous[1]);
  return line[1] - previous[3] > PARAGRAPH_GAP * height || line[3] < previous[1];
};

/**
 * Joins characters, which are in reading order, to words and to a text. White space separates words, and line ends
 * separate lines. An empty line separates paragraphs and columns.
 */
export const assembleText = (
  characters: Iterable<PlacedCharacter>,
): { readonly text: string; readonly words: readonly Word[] } => {
  const words: Word[] = [];
  let text = '';
  let block = 0;
  let previous: BoundingBox | undefined;
  joinPieces(gatherLines(characters)).forEach((line, number) => {
    const box = boxOf(line);
    if (previous !== undefined) {
      const isNewBlock = startsBlock(box, previous);
      if (isNewBlock) block++;
      text += isNewBlock ? '\n\n' : '\n';
    }
    text += line.words.map((word) => word.text).join(' ');
    for (const word of line.words) words.push({ text: word.text, confidence: 1, bbox: word.box, line: number, block });
    previous = box;
  });
  return { text, words };
};

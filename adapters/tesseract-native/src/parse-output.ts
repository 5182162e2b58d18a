import { pageTextOf, readTesseractTsv } from '@palimpsest/core';
import type { Orientation, PageText, QuarterTurn } from '@palimpsest/core';

const HEADING = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n';
const ROW = /^\d+(?:\t-?\d+){9}\t/;

/**
 * Parses the output, which has the TSV rows of the page first and its text after them; `undefined` if the output has
 * another form. The text is not built from the words, because only some languages put blanks between words.
 */
export const parsePage = (output: string): PageText | undefined => {
  if (!output.startsWith(HEADING)) return undefined;
  const rows = output.slice(HEADING.length).split('\n');
  const count = rows.findIndex((row) => !ROW.test(row));
  if (count < 1) return undefined; // the output has at least one row, the row of the page itself
  return pageTextOf(rows.slice(count).join('\n'), readTesseractTsv(rows.slice(0, count).join('\n')));
};

/** Parses the orientation from the output of `--psm 0`; `undefined` if it has another form. */
export const parseOrientation = (output: string): Orientation | undefined => {
  const turn = /^Rotate: (\d+)$/m.exec(output)?.[1];
  const confidence = /^Orientation confidence: (\d+(?:\.\d+)?)$/m.exec(output)?.[1];
  const degrees = ([0, 90, 180, 270] satisfies QuarterTurn[]).find((degrees) => String(degrees) === turn);
  return degrees === undefined || confidence === undefined ? undefined : { degrees, confidence: Number(confidence) };
};

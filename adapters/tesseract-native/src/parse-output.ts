import { pageTextOf, readTesseractTsv } from '@palimpsest/core';
import type { Orientation, PageText, QuarterTurn } from '@palimpsest/core';

const HEADING = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n';
const ROW = /^\d+(?:\t-?\d+){9}\t/;

/**
 * The page that Tesseract wrote as TSV and, behind it, as text. The text is not made of the words, as languages differ in
 * whether there is space between them. `undefined` if this is no such output.
 */
export const parsePage = (output: string): PageText | undefined => {
  if (!output.startsWith(HEADING)) return undefined;
  const rows = output.slice(HEADING.length).split('\n');
  const count = rows.findIndex((row) => !ROW.test(row));
  if (count < 1) return undefined; // at least the page itself has a row
  return pageTextOf(rows.slice(count).join('\n'), readTesseractTsv(rows.slice(0, count).join('\n')));
};

/** Which way up the page is, from what `--psm 0` prints; `undefined` if this is no such output. */
export const parseOrientation = (output: string): Orientation | undefined => {
  const turn = /^Rotate: (\d+)$/m.exec(output)?.[1];
  const confidence = /^Orientation confidence: (\d+(?:\.\d+)?)$/m.exec(output)?.[1];
  const degrees = ([0, 90, 180, 270] satisfies QuarterTurn[]).find((degrees) => String(degrees) === turn);
  return degrees === undefined || confidence === undefined ? undefined : { degrees, confidence: Number(confidence) };
};

import { PDFArray, PDFNumber, type PDFContext, type PDFObject } from '@cantoo/pdf-lib';
import type { QuarterTurn } from '@palimpsest/core';
import type { PageNode } from './page-tree.ts';

/** Left, bottom, right, top in the units of a page. */
type PageBox = readonly [left: number, bottom: number, right: number, top: number];

/** a b c d e f of a PDF: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** How a page is shown. */
export interface PageSpace {
  readonly turn: QuarterTurn; // clockwise
  readonly width: number; // as shown, in the units of the page
  readonly height: number;
  /** From the page as shown, origin bottom left, to where it is drawn. */
  readonly matrix: Matrix;
}

const LETTER: PageBox = [0, 0, 612, 792]; // what PDFium takes for a page that has no box

const boxIn = (context: PDFContext, object: PDFObject | undefined): PageBox | undefined => {
  const array = context.lookup(object);
  if (!(array instanceof PDFArray)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = array.asArray().map((entry) => {
    const number = context.lookup(entry);
    return number instanceof PDFNumber ? number.asNumber() : 0;
  });
  const box: PageBox = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[2] > box[0] && box[3] > box[1] ? box : undefined;
};

/** The part of the page that is shown: its crop box within its media box (ISO 32000-1, 14.11.2). */
const shownBox = (context: PDFContext, { attributes }: PageNode): PageBox => {
  const media = boxIn(context, attributes.MediaBox) ?? LETTER;
  const crop = boxIn(context, attributes.CropBox);
  if (crop === undefined) return media;
  return [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
};

const TURNS = [0, 90, 180, 270] as const satisfies readonly QuarterTurn[];

const turnBy = (degrees: number): QuarterTurn => TURNS[((Math.trunc(degrees / 90) % 4) + 4) % 4] ?? 0;

/** How a page is shown once it is turned clockwise by `rotation` beyond what it asks for itself. */
export const pageSpace = (context: PDFContext, page: PageNode, rotation: QuarterTurn): PageSpace => {
  const [left, bottom, right, top] = shownBox(context, page);
  const rotate = context.lookup(page.attributes.Rotate);
  const turn = turnBy((rotate instanceof PDFNumber ? turnBy(rotate.asNumber()) : 0) + rotation);
  const [width, height] = [right - left, top - bottom];
  switch (turn) {
    case 0:
      return { turn, width, height, matrix: [1, 0, 0, 1, left, bottom] };
    case 90:
      return { turn, width: height, height: width, matrix: [0, 1, -1, 0, right, bottom] };
    case 180:
      return { turn, width, height, matrix: [-1, 0, 0, -1, right, top] };
    case 270:
      return { turn, width: height, height: width, matrix: [0, -1, 1, 0, left, top] };
  }
};

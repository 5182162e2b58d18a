import { PDFArray, PDFNumber, type PDFContext, type PDFObject } from '@cantoo/pdf-lib';
import { pdfBoxOf, pdfTurnOf, visiblePdfBox } from '@palimpsest/core';
import type { PdfBox, QuarterTurn } from '@palimpsest/core';
import type { PageNode } from './page-tree.ts';

/** A transformation matrix of a PDF: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** The geometry of a page as readers show it. */
export interface PageSpace {
  readonly turn: QuarterTurn; // clockwise
  readonly width: number; // after the turn, in the units of the page
  readonly height: number;
  /** Maps the shown page (origin bottom left) to the coordinates of its content. */
  readonly matrix: Matrix;
}

const numberIn = (context: PDFContext, object: PDFObject | undefined): number => {
  const number = context.lookup(object);
  return number instanceof PDFNumber ? number.asNumber() : 0;
};

const boxIn = (context: PDFContext, object: PDFObject | undefined): PdfBox | undefined => {
  const array = context.lookup(object);
  if (!(array instanceof PDFArray)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = array.asArray().map((entry) => numberIn(context, entry));
  return pdfBoxOf([a, b, c, d]);
};

/** The geometry of a page after a clockwise turn by `rotation` in addition to its own /Rotate entry. */
export const pageSpace = (context: PDFContext, { attributes }: PageNode, rotation: QuarterTurn): PageSpace => {
  const [left, bottom, right, top] = visiblePdfBox(
    boxIn(context, attributes.MediaBox),
    boxIn(context, attributes.CropBox),
  );
  const turn = pdfTurnOf(pdfTurnOf(numberIn(context, attributes.Rotate)) + rotation);
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

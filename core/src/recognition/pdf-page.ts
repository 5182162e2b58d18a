import type { QuarterTurn } from './page.ts';

/** A rectangle on a PDF page in points, y upwards. */
export type PdfBox = readonly [left: number, bottom: number, right: number, top: number];

/** The size of the visible part of a PDF page before its rotation, and that rotation. */
export interface PdfPageBox {
  readonly width: number; // points
  readonly height: number;
  readonly turn: QuarterTurn; // clockwise
}

const DEFAULT_MEDIA_BOX: PdfBox = [0, 0, 612, 792]; // Letter, the same default as in PDFium

/** The box between two opposite corners; `undefined` if it has no area or a coordinate is missing. */
export const pdfBoxOf = ([a, b, c, d]: readonly (number | undefined)[]): PdfBox | undefined => {
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  const box: PdfBox = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[2] > box[0] && box[3] > box[1] ? box : undefined;
};

/** The visible part of a page: its crop box within its media box (ISO 32000-1, 14.11.2). */
export const visiblePdfBox = (media: PdfBox = DEFAULT_MEDIA_BOX, crop: PdfBox = media): PdfBox => {
  const [left, bottom] = [Math.max(media[0], crop[0]), Math.max(media[1], crop[1])];
  return [left, bottom, Math.max(left, Math.min(media[2], crop[2])), Math.max(bottom, Math.min(media[3], crop[3]))];
};

const TURNS = [0, 90, 180, 270] as const satisfies readonly QuarterTurn[];

/** The clockwise quarter turn of a `/Rotate` entry. Other angles are rounded towards 0, as in PDFium. */
export const pdfTurnOf = (degrees: number): QuarterTurn => TURNS[((Math.trunc(degrees / 90) % 4) + 4) % 4] ?? 0;

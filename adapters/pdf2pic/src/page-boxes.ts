import { AppError } from '@palimpsest/core';
import type { QuarterTurn } from '@palimpsest/core';

/** A page as the file describes it: what of it is shown, in points, before it is turned. */
export interface PageBox {
  readonly width: number;
  readonly height: number;
  readonly turn: QuarterTurn;
}

/** What Ghostscript tells of a file. */
export interface PdfInfo {
  readonly pageCount: number;
  readonly pages: ReadonlyMap<number, PageBox>; // by number, from 1
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

const DEFAULT_PAGE: Box = [0, 0, 612, 792]; // Letter, as PDFium takes it

/**
 * The program in PostScript that prints, of the file `F`, the number of pages, and the boxes of pages `First` to `Last`.
 * Nothing of what the file says of itself is printed.
 */
export const BOXES_PROGRAM = [
  'F (r) file runpdfbegin',
  '(PAGES ) print pdfpagecount =',
  'First 1 pdfpagecount Last 2 copy gt { exch } if pop {',
  '  dup (PAGE ) print =only pdfgetpage',
  '  dup /MediaBox pget { ( M ) print ==only } if',
  '  dup /CropBox pget { ( C ) print ==only } if',
  '  /Rotate pget { ( R ) print ==only } if',
  '  (\\n) print',
  '} for',
  'quit',
].join(' ');

const boxOf = (numbers: string | undefined): Box | undefined => {
  const [a, b, c, d] = (numbers ?? '').trim().split(/\s+/).map(Number);
  if (a === undefined || b === undefined || c === undefined || d === undefined || [a, b, c, d].some(Number.isNaN))
    return undefined;
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[0] < box[2] && box[1] < box[3] ? box : undefined;
};

/** What is shown of a page, by the rules of PDFium: the crop box as far as it lies on the page. */
const shownBox = (media: Box = DEFAULT_PAGE, crop: Box = media): Pick<PageBox, 'width' | 'height'> => ({
  width: Math.max(0, Math.min(media[2], crop[2]) - Math.max(media[0], crop[0])),
  height: Math.max(0, Math.min(media[3], crop[3]) - Math.max(media[1], crop[1])),
});

const turnOf = (rotate: string | undefined): QuarterTurn => {
  const degrees = ((Number(rotate ?? 0) % 360) + 360) % 360;
  return ([0, 90, 180, 270] satisfies QuarterTurn[]).find((quarter) => quarter === degrees) ?? 0;
};

const PAGE = /^PAGE (\d+)(?: M \[([^\]]*)\])?(?: C \[([^\]]*)\])?(?: R (-?\d+))?$/gm;

/** Reads what the program printed; `undefined` if there is no number of pages. */
export const parseBoxes = (output: string): PdfInfo | undefined => {
  const pageCount = /^PAGES (\d+)$/m.exec(output)?.[1];
  if (pageCount === undefined) return undefined;
  const pages = [...output.matchAll(PAGE)].map(
    ([, number, media, crop, rotate]) =>
      [Number(number), { ...shownBox(boxOf(media), boxOf(crop)), turn: turnOf(rotate) }] as const,
  );
  return { pageCount: Number(pageCount), pages: new Map(pages) };
};

/** Why there are no pages, by what Ghostscript says; its exit code says that all is well. */
export const openingError = (said: string): AppError => {
  if (/requires a password/i.test(said)) {
    return new AppError(
      'DOCUMENT_ENCRYPTED',
      'The PDF is protected by a password. Remove the password and upload it again.',
    );
  }
  if (/encryption|security handler|cannot decrypt/i.test(said)) {
    return new AppError(
      'DOCUMENT_ENCRYPTED',
      'The PDF is protected in a way that cannot be opened. Remove the protection and upload it again.',
    );
  }
  if (/has no pages/i.test(said) && !/error/i.test(said))
    return new AppError('DOCUMENT_WITHOUT_PAGES', 'The PDF has no pages.');
  return new AppError('DOCUMENT_DAMAGED', 'The file is damaged or not a PDF, so that it cannot be opened.');
};

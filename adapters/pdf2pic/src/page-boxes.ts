import type { PdfInfo } from '@palimpsest/child-process';
import {
  damagedPdf,
  passwordProtectedPdf,
  pdfBoxOf,
  pdfTurnOf,
  pdfWithoutPages,
  unsupportedPdfEncryption,
  visiblePdfBox,
} from '@palimpsest/core';
import type { AppError, PdfBox } from '@palimpsest/core';

/**
 * A PostScript program that prints the page count of the file `F` and the boxes of the pages `First` to `Last`. It
 * prints no text from the file itself.
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

const PAGE = /^PAGE (\d+)(?: M \[([^\]]*)\])?(?: C \[([^\]]*)\])?(?: R (-?\d+))?$/gm;

const boxIn = (numbers = ''): PdfBox | undefined => pdfBoxOf(numbers.trim().split(/\s+/).map(Number));

/** Parses the output of {@link BOXES_PROGRAM}; `undefined` if it has no page count. */
export const parseBoxes = (output: string): PdfInfo | undefined => {
  const pageCount = /^PAGES (\d+)$/m.exec(output)?.[1];
  if (pageCount === undefined) return undefined;
  const pages = [...output.matchAll(PAGE)].map(([, number, media, crop, rotate]) => {
    const [left, bottom, right, top] = visiblePdfBox(boxIn(media), boxIn(crop));
    return [
      Number(number),
      { width: right - left, height: top - bottom, turn: pdfTurnOf(Number(rotate ?? 0)) },
    ] as const;
  });
  return { pageCount: Number(pageCount), pages: new Map(pages) };
};

/** Translates the messages of Ghostscript for a file in which it found no pages. Its exit code is 0 even then. */
export const openingError = (messages: string): AppError => {
  if (/requires a password/i.test(messages)) return passwordProtectedPdf();
  if (/encryption|security handler|cannot decrypt/i.test(messages)) return unsupportedPdfEncryption();
  return /has no pages/i.test(messages) && !/error/i.test(messages) ? pdfWithoutPages() : damagedPdf();
};

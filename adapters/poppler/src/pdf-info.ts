import type { PdfInfo } from '@palimpsest/child-process';
import {
  damagedPdf,
  passwordProtectedPdf,
  pdfTurnOf,
  pdfWithoutPages,
  unsupportedPdfEncryption,
} from '@palimpsest/core';
import type { AppError, PdfPageBox } from '@palimpsest/core';

const PAGE = /^Page +(\d+) (?:size: +([\d.e+]+) x ([\d.e+]+) pts|rot: +(\d+))/gm;

/**
 * Parses the output of `pdfinfo -f … -l …`; `undefined` if it has no page count. The title and the author of the file
 * come first and may look like any other line. Therefore the last value of each kind is used.
 */
export const parsePdfInfo = (output: string): PdfInfo | undefined => {
  const pageCount = [...output.matchAll(/^Pages: +(\d+)$/gm)].at(-1)?.[1];
  if (pageCount === undefined) return undefined;
  const pages = new Map<number, PdfPageBox>();
  for (const [, page, width, height, turn] of output.matchAll(PAGE)) {
    const number = Number(page);
    const known = pages.get(number) ?? { width: 0, height: 0, turn: 0 };
    const found =
      turn === undefined ? { width: Number(width), height: Number(height) } : { turn: pdfTurnOf(Number(turn)) };
    pages.set(number, { ...known, ...found });
  }
  return { pageCount: Number(pageCount), pages };
};

/** Translates the messages of pdfinfo for a file that it could not open. */
export const openingError = (errors: string): AppError => {
  if (/incorrect password/i.test(errors)) return passwordProtectedPdf();
  if (/unsupported version\/revision|security handler/i.test(errors)) return unsupportedPdfEncryption();
  // pdfinfo also reports a last page 0 for many damaged files, but together with other syntax errors.
  const syntaxErrors = errors.match(/^Syntax Error.*$/gm) ?? [];
  const hasNoPages =
    /after the last page \(0\)/.test(errors) && syntaxErrors.every((line) => /invalid page count 0$/i.test(line));
  return hasNoPages ? pdfWithoutPages() : damagedPdf();
};

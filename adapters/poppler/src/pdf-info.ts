import { AppError } from '@palimpsest/core';
import type { QuarterTurn } from '@palimpsest/core';

/** A page as the file describes it: its crop box in points, before it is turned. */
export interface PageBox {
  readonly width: number;
  readonly height: number;
  readonly turn: QuarterTurn;
}

/** What `pdfinfo -f … -l …` tells of a file. */
export interface PdfInfo {
  readonly pageCount: number;
  readonly pages: ReadonlyMap<number, PageBox>; // by number, from 1
}

const PAGE = /^Page +(\d+) (?:size: +([\d.e+]+) x ([\d.e+]+) pts|rot: +(\d+))/gm;

/**
 * Reads what pdfinfo prints. What the file says of itself, title and author, comes first and may look like anything: of
 * several values the last one counts. `undefined` if there is no number of pages.
 */
export const parsePdfInfo = (output: string): PdfInfo | undefined => {
  const pageCount = [...output.matchAll(/^Pages: +(\d+)$/gm)].at(-1)?.[1];
  if (pageCount === undefined) return undefined;
  const pages = new Map<number, PageBox>();
  for (const [, page, width, height, turn] of output.matchAll(PAGE)) {
    const number = Number(page);
    const known = pages.get(number) ?? { width: 0, height: 0, turn: 0 };
    if (turn === undefined) pages.set(number, { ...known, width: Number(width), height: Number(height) });
    else
      pages.set(number, {
        ...known,
        turn: ([0, 90, 180, 270] satisfies QuarterTurn[]).find((quarter) => quarter === Number(turn)) ?? 0,
      });
  }
  return { pageCount: Number(pageCount), pages };
};

/** Why pdfinfo could not open a file, by what it says. */
export const openingError = (errors: string): AppError => {
  if (/incorrect password/i.test(errors)) {
    return new AppError(
      'DOCUMENT_ENCRYPTED',
      'The PDF is protected by a password. Remove the password and upload it again.',
    );
  }
  if (/unsupported version\/revision|security handler/i.test(errors)) {
    return new AppError(
      'DOCUMENT_ENCRYPTED',
      'The PDF is protected in a way that cannot be opened. Remove the protection and upload it again.',
    );
  }
  // It finds no pages in many a broken file as well, of which it has more to say.
  const complaints = errors.match(/^Syntax Error.*$/gm) ?? [];
  const hasNone =
    /after the last page \(0\)/.test(errors) && complaints.every((line) => /invalid page count 0$/i.test(line));
  if (hasNone) return new AppError('DOCUMENT_WITHOUT_PAGES', 'The PDF has no pages.');
  return new AppError('DOCUMENT_DAMAGED', 'The file is damaged or not a PDF, so that it cannot be opened.');
};

import { ParseSpeeds, PDFDocument, type PDFDict } from '@cantoo/pdf-lib';
import { damagedPdf } from '@palimpsest/core';
import type { TextOverlay } from '@palimpsest/core';
import { overlayPage } from './overlay-page.ts';
import { pagesOf } from './page-tree.ts';
import { TextFont } from './text-font.ts';

/** A PDF with added words. */
export interface RewrittenPdf {
  readonly file: Uint8Array;
  readonly addedWords: readonly number[]; // per page
}

/** Adds the words to the pages and saves the document. Throws `DOCUMENT_DAMAGED` if an overlay has no page. */
export const addOverlays = async (document: PDFDocument, overlays: readonly TextOverlay[]): Promise<RewrittenPdf> => {
  const { context } = document;
  const pages = pagesOf(context);
  const font = new TextFont(context);
  const added = new Map<PDFDict, number>();
  for (const overlay of overlays) {
    const page = pages[overlay.number - 1];
    if (page === undefined) throw damagedPdf();
    if (added.has(page.dict)) continue; // the page tree contains this page twice
    added.set(page.dict, overlayPage(context, page, overlay, font));
  }
  font.embed();
  const file = await document.save({
    rewrite: true,
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Infinity,
  });
  return { file, addedWords: pages.map(({ dict }) => added.get(dict) ?? 0) };
};

/** Parses a PDF, adds the words and saves it. */
export const rewritePdf = async (file: Uint8Array, overlays: readonly TextOverlay[]): Promise<RewrittenPdf> => {
  const options = { parseSpeed: ParseSpeeds.Fastest, updateMetadata: false, preserveXFA: true, capNumbers: true };
  const document = await PDFDocument.load(file, options);
  const numbers = document.context.enumerateIndirectObjects().map(([ref]) => ref.objectNumber);
  // pdf-lib would write all generations of an object, and readers would disagree on which one is valid.
  if (new Set(numbers).size < numbers.length) throw new Error('The file has several generations of one object.');
  return addOverlays(document, overlays);
};

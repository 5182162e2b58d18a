import { ParseSpeeds, PDFDocument, type PDFDict } from '@cantoo/pdf-lib';
import { AppError } from '@palimpsest/core';
import type { TextOverlay } from '@palimpsest/core';
import { imageDocument } from './image-document.ts';
import { overlayPage } from './overlay-page.ts';
import { pagesOf } from './page-tree.ts';
import { PdfiumFile } from './pdfium-file.ts';
import type { PageOutline } from './pdfium-file.ts';
import type { Pdfium } from './pdfium-module.ts';
import { damagedPdf, outOfMemory } from './refusals.ts';
import type { WriteRequest } from './requests.ts';
import { TextFont } from './text-font.ts';

interface Written {
  readonly file: Uint8Array;
  readonly texts: readonly number[]; // by page: how many words it has more than before
}

/** Lays the words over the pages and writes the file. Object streams, as far as the file's kind allows them. */
const finish = async (document: PDFDocument, overlays: readonly TextOverlay[]): Promise<Written> => {
  const { context } = document;
  const pages = pagesOf(context);
  const font = new TextFont(context);
  const added = new Map<PDFDict, number>();
  for (const overlay of overlays) {
    const page = pages[overlay.number - 1];
    if (page === undefined) throw damagedPdf();
    if (added.has(page.dict)) continue; // a page that the file shows twice
    added.set(page.dict, overlayPage(context, page, overlay, font));
  }
  font.embed();
  const file = await document.save({
    rewrite: true,
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Infinity,
  });
  return { file, texts: pages.map(({ dict }) => added.get(dict) ?? 0) };
};

const rewritten = async (file: Uint8Array, overlays: readonly TextOverlay[]): Promise<Written> => {
  const options = { parseSpeed: ParseSpeeds.Fastest, updateMetadata: false, preserveXFA: true, capNumbers: true };
  const document = await PDFDocument.load(file, options);
  const numbers = document.context.enumerateIndirectObjects().map(([ref]) => ref.objectNumber);
  // pdf-lib would write all of them, and which one counts would be anybody's guess.
  if (new Set(numbers).size < numbers.length) throw new Error('The file has several generations of one object.');
  return finish(document, overlays);
};

const isAllocationFailure = (error: unknown): boolean =>
  error instanceof Error && /OOM|enlarge memory|allocation failed|array length/i.test(error.message);

const SIZE_TOLERANCE = 0.01; // points

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SIZE_TOLERANCE + Math.abs(b) * 1e-4;

/**
 * Reads a file with PDFium, which compiled to WebAssembly traps where a native one would crash: by what the file holds, so
 * again at each try. It is not to be used again then, which the cause of the error says.
 */
const readWith = <T>(pdfium: Pdfium, file: Uint8Array, read: (file: PdfiumFile) => T): T => {
  try {
    const opened = new PdfiumFile(pdfium, file);
    const result = read(opened);
    opened.close();
    return result;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw isAllocationFailure(error) ? outOfMemory(error) : damagedPdf(error);
  }
};

/** Whether PDFium finds in the file that was written the pages of the one that was read, turned as they were to be, with the words. */
const isFaithful = (
  pdfium: Pdfium,
  { file, texts }: Written,
  pages: readonly PageOutline[],
  overlays: readonly TextOverlay[],
): boolean => {
  const turned = new Set(
    overlays.filter(({ rotation }) => rotation === 90 || rotation === 270).map(({ number }) => number),
  );
  const found = readWith(pdfium, file, (opened) => opened.pages());
  return (
    found.length === pages.length &&
    found.every(({ width, height, objects }, i) => {
      const { width: across = 0, height: down = 0, objects: before = 0 } = pages[i] ?? {};
      const [wantedWidth, wantedHeight] = turned.has(i + 1) ? [down, across] : [across, down];
      return (
        isNear(width, wantedWidth) &&
        isNear(height, wantedHeight) &&
        (before < 0 || objects === before + (texts[i] ?? 0))
      );
    })
  );
};

/**
 * The file itself is rewritten if it can be, else what PDFium, which mends and decrypts, makes of it, else its pages
 * alone. What was written counts only if PDFium finds the same pages in it.
 */
const writePdf = async (pdfium: Pdfium, file: Uint8Array, overlays: readonly TextOverlay[]): Promise<Uint8Array> => {
  const { pages, isEncrypted } = readWith(pdfium, file, (opened) => ({
    pages: opened.pages(),
    isEncrypted: opened.isEncrypted,
  }));
  if (pages.length === 0) throw new AppError('DOCUMENT_DAMAGED', 'The PDF has no pages.');
  const origins = [
    ...(isEncrypted ? [] : [() => file]),
    () => readWith(pdfium, file, (opened) => opened.copy()),
    () => readWith(pdfium, file, (opened) => opened.copyPages()),
  ];
  const failures: unknown[] = [];
  for (const origin of origins) {
    try {
      const written = await rewritten(origin(), overlays);
      if (isFaithful(pdfium, written, pages, overlays)) return written.file;
      failures.push(new Error('The pages differ.'));
    } catch (error) {
      if (error instanceof AppError && error.cause !== undefined) throw error; // PDFium is broken
      if (isAllocationFailure(error)) throw outOfMemory(error);
      failures.push(error);
    }
  }
  throw damagedPdf(new AggregateError(failures, failures.map(String).join('; ')));
};

const writeImage = async ({ source: { file, mediaType }, overlays, maxPixels }: WriteRequest): Promise<Uint8Array> => {
  const rotation = overlays.find(({ number }) => number === 1)?.rotation ?? 0;
  const document = await imageDocument(file, mediaType, maxPixels, rotation);
  const written = await finish(
    document,
    overlays.map((overlay): TextOverlay => ({ ...overlay, rotation: 0 })),
  ); // the picture is turned
  return written.file;
};

/**
 * The file as a PDF with invisible text. Throws `DOCUMENT_ENCRYPTED`, `DOCUMENT_DAMAGED`, `PAGE_TOO_LARGE` or
 * `PAGE_OUT_OF_MEMORY`.
 */
export const writeSearchable = async (request: WriteRequest, pdfium: () => Promise<Pdfium>): Promise<Uint8Array> =>
  request.source.mediaType === 'application/pdf'
    ? writePdf(await pdfium(), request.source.file, request.overlays)
    : writeImage(request);

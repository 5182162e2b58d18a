import { AppError } from '@palimpsest/core';
import type { TextOverlay } from '@palimpsest/core';
import { isAllocationFailure, outOfMemory, PdfiumFile, translateTrap } from '@palimpsest/pdfium-file';
import type { PageSummary, Pdfium } from '@palimpsest/pdfium-file';
import { imageDocument } from './image-document.ts';
import { addOverlays, rewritePdf } from './rewrite-pdf.ts';
import type { RewrittenPdf } from './rewrite-pdf.ts';
import type { WriteRequest } from './requests.ts';

const SIZE_TOLERANCE = 0.01; // points

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SIZE_TOLERANCE + Math.abs(b) * 1e-4;

/** Opens a file with PDFium for one task. A trap becomes an `AppError` with a cause. */
const withPdfium = <T>(pdfium: Pdfium, file: Uint8Array, task: (file: PdfiumFile) => T): T => {
  try {
    const opened = new PdfiumFile(pdfium, file);
    const result = task(opened);
    opened.close();
    return result;
  } catch (error) {
    throw translateTrap(error, 'The PDF');
  }
};

/** Whether PDFium finds the original pages in the written file, with the requested rotations and the added words. */
const hasOriginalPages = (
  pdfium: Pdfium,
  { file, addedWords }: RewrittenPdf,
  originals: readonly PageSummary[],
  overlays: readonly TextOverlay[],
): boolean => {
  const sideways = new Set(
    overlays.filter(({ rotation }) => rotation === 90 || rotation === 270).map(({ number }) => number),
  );
  const written = withPdfium(pdfium, file, (opened) => opened.summarizePages());
  return (
    written.length === originals.length &&
    originals.every((original, i) => {
      const page = written[i] ?? { width: 0, height: 0, objects: 0 };
      const isSideways = sideways.has(i + 1);
      const isCounted = original.objects >= 0;
      return (
        isNear(page.width, isSideways ? original.height : original.width) &&
        isNear(page.height, isSideways ? original.width : original.height) &&
        (!isCounted || page.objects === original.objects + (addedWords[i] ?? 0))
      );
    })
  );
};

const unwritablePdf = (causes: readonly unknown[]): AppError =>
  new AppError('DOCUMENT_DAMAGED', 'The PDF is damaged, or its structure does not allow a searchable copy.', {
    cause: new AggregateError(causes, causes.map(String).join('; ')),
  });

/**
 * Tries three sources one after the other: the file itself, PDFium's repaired and decrypted copy, and a copy of only
 * the pages. Accepts a result only if PDFium finds the original pages in it.
 */
const writePdf = async (pdfium: Pdfium, file: Uint8Array, overlays: readonly TextOverlay[]): Promise<Uint8Array> => {
  const { summaries, isEncrypted } = withPdfium(pdfium, file, (opened) => ({
    summaries: opened.summarizePages(),
    isEncrypted: opened.isEncrypted,
  }));
  if (summaries.length === 0) throw new AppError('DOCUMENT_DAMAGED', 'The PDF has no pages.');
  const sources = [
    ...(isEncrypted ? [] : [() => file]),
    () => withPdfium(pdfium, file, (opened) => opened.copy()),
    () => withPdfium(pdfium, file, (opened) => opened.copyPages()),
  ];
  const failures: unknown[] = [];
  for (const source of sources) {
    try {
      const rewritten = await rewritePdf(source(), overlays);
      if (hasOriginalPages(pdfium, rewritten, summaries, overlays)) return rewritten.file;
      failures.push(new Error('The written pages differ from the original pages.'));
    } catch (error) {
      if (error instanceof AppError && error.cause !== undefined) throw error; // PDFium is unusable after a trap
      if (isAllocationFailure(error)) throw outOfMemory('The PDF', error);
      failures.push(error);
    }
  }
  throw unwritablePdf(failures);
};

const writeImage = async ({ source: { file, mediaType }, overlays, maxPixels }: WriteRequest): Promise<Uint8Array> => {
  const rotation = overlays.find(({ number }) => number === 1)?.rotation ?? 0;
  const document = await imageDocument(file, mediaType, maxPixels, rotation);
  // `imageDocument` has already rotated the image.
  const upright = overlays.map((overlay): TextOverlay => ({ ...overlay, rotation: 0 }));
  return (await addOverlays(document, upright)).file;
};

/**
 * Writes a file as a PDF with invisible text. Throws `DOCUMENT_ENCRYPTED`, `DOCUMENT_DAMAGED`, `PAGE_TOO_LARGE` or
 * `PAGE_OUT_OF_MEMORY`.
 */
export const writeSearchable = async (request: WriteRequest, pdfium: () => Promise<Pdfium>): Promise<Uint8Array> =>
  request.source.mediaType === 'application/pdf'
    ? writePdf(await pdfium(), request.source.file, request.overlays)
    : writeImage(request);

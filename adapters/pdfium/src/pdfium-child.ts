import { serveRequests } from '@palimpsest/child-process';
import { AppError } from '@palimpsest/core';
import { PdfInMemory } from './pdf-in-memory.ts';
import { loadPdfium } from './pdfium-module.ts';
import type { PdfRequest } from './requests.ts';

// A child of the pool: holds one PDF open at a time.

const pdfium = await loadPdfium();
let held: PdfInMemory | undefined;

const answer = (request: PdfRequest): unknown => {
  if (request.kind === 'open') {
    held?.close();
    held = undefined;
    held = new PdfInMemory(pdfium, request.file);
    return { pageCount: held.pageCount };
  }
  if (held === undefined) throw new TypeError('No document is open.');
  return request.kind === 'render'
    ? held.render(request.number, request.maxPixels)
    : held.readText(request.number, request.maxPixels);
};

/**
 * PDFium compiled to WebAssembly traps where a native one would crash: by what the file holds, so again at each try. The
 * error is known by its name only, as one of a bad allocation by its message.
 */
const translateTrap = (error: unknown, request: PdfRequest): unknown => {
  const isTrap = error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError');
  if (!isTrap) return error;
  const what = request.kind === 'open' ? 'The PDF' : `Page ${request.number} of the PDF`;
  return /OOM|enlarge memory|allocation failed/i.test(error.message)
    ? new AppError('PAGE_OUT_OF_MEMORY', `${what} needs too much memory to be read.`, { cause: error })
    : new AppError('DOCUMENT_DAMAGED', `${what} is built in a way that cannot be read.`, { cause: error });
};

serveRequests(async (request: PdfRequest) => {
  try {
    return answer(request);
  } catch (error) {
    throw translateTrap(error, request);
  }
});

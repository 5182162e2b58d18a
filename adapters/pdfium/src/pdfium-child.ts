import { serveRequests } from '@palimpsest/child-process';
import { loadPdfium, PdfiumFile, translateTrap } from '@palimpsest/pdfium-file';
import { PageReader } from './page-reader.ts';
import type { PdfRequest } from './requests.ts';

// The script of the child processes. A child keeps one PDF open at a time.

const pdfium = await loadPdfium();
let reader: PageReader | undefined;

const answer = (request: PdfRequest): unknown => {
  if (request.kind === 'open') {
    reader?.close();
    reader = undefined;
    reader = new PageReader(new PdfiumFile(pdfium, request.file));
    return { pageCount: reader.pageCount };
  }
  if (reader === undefined) throw new TypeError('No document is open.');
  return request.kind === 'render'
    ? reader.render(request.number, request.maxPixels)
    : reader.readText(request.number, request.maxPixels);
};

serveRequests(async (request: PdfRequest) => {
  try {
    return answer(request);
  } catch (error) {
    throw translateTrap(error, request.kind === 'open' ? 'The PDF' : `Page ${request.number} of the PDF`);
  }
});

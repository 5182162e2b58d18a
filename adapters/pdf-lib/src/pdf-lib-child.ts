import { serveRequests } from '@palimpsest/child-process';
import { loadPdfium } from '@palimpsest/pdfium-file';
import type { Pdfium } from '@palimpsest/pdfium-file';
import type { WriteRequest } from './requests.ts';
import { writeSearchable } from './write-searchable.ts';

// The script of the child processes. A child keeps no data of a file after a request. It loads PDFium with its first
// PDF.

let loaded: Promise<Pdfium> | undefined;

const pdfium = (): Promise<Pdfium> => (loaded ??= loadPdfium());

serveRequests((request: WriteRequest) => writeSearchable(request, pdfium));

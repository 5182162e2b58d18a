import { serveRequests } from '@palimpsest/child-process';
import { loadPdfium } from '@palimpsest/pdfium-file';
import type { Pdfium } from '@palimpsest/pdfium-file';
import type { WriteRequest } from './requests.ts';
import { writeSearchable } from './write-searchable.ts';

// The script of the child processes. A child keeps nothing of a file. It loads PDFium for the first PDF only.

let loaded: Promise<Pdfium> | undefined;

const pdfium = (): Promise<Pdfium> => (loaded ??= loadPdfium());

serveRequests((request: WriteRequest) => writeSearchable(request, pdfium));

import { serveRequests } from '@palimpsest/child-process';
import { loadPdfium } from './pdfium-module.ts';
import type { Pdfium } from './pdfium-module.ts';
import type { WriteRequest } from './requests.ts';
import { writeSearchable } from './write-searchable.ts';

// A child of the pool: writes searchable files, and keeps nothing of one for the next.

let loaded: Promise<Pdfium> | undefined;

const pdfium = (): Promise<Pdfium> => (loaded ??= loadPdfium());

serveRequests((request: WriteRequest) => writeSearchable(request, pdfium));

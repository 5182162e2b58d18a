export * from './pdfium-errors.ts';
export * from './pdfium-file.ts';
export { loadPdfium, type Pdfium } from './pdfium-module.ts';

export * from './open-pdfium.ts';
export type * from './pdfium-document.ts';

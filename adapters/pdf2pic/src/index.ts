export * from './open-pdf2pic.ts';
export type * from './pdf2pic-document.ts';

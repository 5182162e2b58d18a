export * from './open-poppler.ts';
export type * from './poppler-document.ts';

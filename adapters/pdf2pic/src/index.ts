export * from './open-pdf2pic.ts';

export * from './open-pdf-lib.ts';
export * from './pdf-lib-searchable-pdf-writer.ts';

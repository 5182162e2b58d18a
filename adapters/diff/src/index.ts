export * from './jsdiff-word-diff.ts';

export * from './read-package.ts';
export * from './write-package.ts';
export * from './xml-text.ts';

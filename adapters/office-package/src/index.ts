export * from './read-package.ts';
export * from './write-package.ts';

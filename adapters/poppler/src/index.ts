export * from './open-poppler.ts';

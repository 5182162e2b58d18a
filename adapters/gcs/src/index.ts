export { GcsRefusal } from './errors.ts';
export * from './gcs-blob-store.ts';
export * from './gcs-url.ts';
export * from './open-gcs.ts';
export type { GcsTiming } from './timing.ts';

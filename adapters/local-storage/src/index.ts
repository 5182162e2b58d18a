export type { FileSystem } from './file-system.ts';
export * from './local-blob-store.ts';
export * from './open-local-storage.ts';

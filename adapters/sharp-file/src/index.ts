export * from './hardened-sharp.ts';
export * from './image-file.ts';
export * from './pixels.ts';

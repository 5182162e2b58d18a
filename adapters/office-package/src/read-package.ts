import { unzipSync } from 'fflate';

/**
 * The files of a ZIP package by name, in order, without folders. Only for small packages, because it keeps all content
 * in memory.
 */
export const readPackage = (bytes: Uint8Array): ReadonlyMap<string, Uint8Array> =>
  new Map(Object.entries(unzipSync(bytes)).filter(([name]) => !name.endsWith('/')));

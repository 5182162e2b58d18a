import { unzipSync } from 'fflate';

/** The files of a ZIP package by name, in order, without folders. For small packages, as all content is in memory. */
export const readPackage = (bytes: Uint8Array): ReadonlyMap<string, Uint8Array> =>
  new Map(Object.entries(unzipSync(bytes)).filter(([name]) => !name.endsWith('/')));

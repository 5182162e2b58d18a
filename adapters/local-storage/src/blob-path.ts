import { createHash } from 'node:crypto';

const KEY = /^[a-z0-9][a-z0-9/-]{0,199}$/;
const PREFIX = 'blob_'; // avoids the reserved names of some systems (`con`, `nul`)

/**
 * The path of the blob with this key: one of 256 folders, chosen by the hash of the key, and a file name. The file name
 * is the key with `_` for `/`, so no path is outside the folder, and no file has the path of a folder. Throws
 * `TypeError` for an invalid key.
 */
export const blobPath = (key: string): readonly [folder: string, name: string] => {
  if (!KEY.test(key) || key.includes('//')) throw new TypeError(`Not a blob key: ${JSON.stringify(key.slice(0, 250))}`);
  return [createHash('sha256').update(key).digest('hex').slice(0, 2), PREFIX + key.replaceAll('/', '_')];
};

/** The key of the blob in the file `name`; `undefined` if the file is not a blob. */
export const keyOfName = (name: string): string | undefined => {
  if (!name.startsWith(PREFIX)) return undefined;
  const key = name.slice(PREFIX.length).replaceAll('_', '/');
  return KEY.test(key) && !key.includes('//') ? key : undefined;
};

import { createHash } from 'node:crypto';

const KEY = /^[a-z0-9][a-z0-9/-]{0,199}$/;
const PREFIX = 'blob_'; // keeps clear of names that some systems reserve (`con`, `nul`)

/**
 * Where the blob with this key lies: a folder out of 256 by its hash, and a file name that says the key, with `_` for
 * `/`, so that no key can lead out of the folder or be a folder of another one. Throws `TypeError` for what is no key.
 */
export const blobPath = (key: string): readonly [folder: string, name: string] => {
  if (!KEY.test(key) || key.includes('//')) throw new TypeError(`Not a blob key: ${JSON.stringify(key.slice(0, 250))}`);
  return [createHash('sha256').update(key).digest('hex').slice(0, 2), PREFIX + key.replaceAll('/', '_')];
};

/** The key of the blob in the file `name`; `undefined` if the file is not one of ours. */
export const keyOfName = (name: string): string | undefined => {
  if (!name.startsWith(PREFIX)) return undefined;
  const key = name.slice(PREFIX.length).replaceAll('_', '/');
  return KEY.test(key) && !key.includes('//') ? key : undefined;
};

import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { hasErrorCode, makeFolders, syncFolder } from '@palimpsest/files';

const SECRET_BYTES = 32;

const load = async (file: string): Promise<Uint8Array | undefined> => {
  try {
    const secret = await readFile(file);
    if (secret.length === SECRET_BYTES) return secret;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  throw new Error(
    `${file} must contain ${SECRET_BYTES} bytes. Restore it from a backup, or delete it: then all sessions end.`,
  );
};

const create = async (file: string): Promise<void> => {
  const temporary = `${file}.${randomUUID()}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(randomBytes(SECRET_BYTES));
    await handle.sync();
    await link(temporary, file); // never overwrites, so exactly one of several processes creates the secret
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await handle.close();
    await unlink(temporary);
  }
};

/**
 * Returns the 32 secret bytes in `file`. If the file does not exist, creates it durably, readable only by this user.
 * Concurrent calls, also in other processes, return the same secret. Throws if the file has another length.
 */
export const loadOrCreateSecret = async (file: string): Promise<Uint8Array> => {
  const path = resolve(file);
  const present = await load(path);
  if (present) return present;
  await makeFolders(dirname(path));
  await create(path);
  await syncFolder(dirname(path));
  const created = await load(path);
  if (!created) throw new Error(`${path} was deleted directly after it was created`);
  return created;
};

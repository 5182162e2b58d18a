import * as node from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the entries of a folder durable. Does nothing on Windows, which cannot sync a folder: NTFS journals the
 * entries.
 */
export const syncFolder = async (folder: string, files: Pick<typeof node, 'open'> = node): Promise<void> => {
  if (process.platform === 'win32') return;
  const handle = await files.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Creates a folder and all missing folders above it durably, accessible only by this user. */
export const makeFolders = async (folder: string, files: Pick<typeof node, 'open' | 'mkdir'> = node): Promise<void> => {
  const firstMade = await files.mkdir(folder, { recursive: true, mode: 0o700 });
  if (firstMade === undefined) return;
  for (let made = folder; made.length >= firstMade.length; made = dirname(made)) await syncFolder(dirname(made), files);
};

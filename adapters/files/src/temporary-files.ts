import { randomUUID } from 'node:crypto';
import * as node from 'node:fs/promises';
import { join } from 'node:path';
import { hasProcessEnded, PROCESS_TAG, processTag } from './process-tag.ts';
import { unlessAbsent } from './system-error.ts';

const STALE_AFTER_MS = 3_600_000;
// Names of earlier versions had no dot and no `.part`.
const NAME = new RegExp(`^\\.?(${PROCESS_TAG})-[0-9a-f-]{36}(?:\\.part)?$`);

/** A new name for a file that is being written. The name identifies the writing process. */
export const temporaryName = (): string => `.${processTag}-${randomUUID()}.part`;

/**
 * Deletes the temporary files in `folder` that killed processes left behind: the files of processes that no longer run,
 * and the files without a write for an hour. Keeps all other files, because a process may still write them.
 */
export const removeStaleFiles = async (
  folder: string,
  files: Pick<typeof node, 'readdir' | 'stat' | 'unlink'> = node,
): Promise<void> => {
  for (const name of await files.readdir(folder)) {
    const [, tag] = NAME.exec(name) ?? [];
    if (tag === undefined) continue;
    const path = join(folder, name);
    const info = await unlessAbsent(files.stat(path));
    if (!info?.isFile()) continue;
    if (hasProcessEnded(tag) || info.mtimeMs < Date.now() - STALE_AFTER_MS) await unlessAbsent(files.unlink(path));
  }
};

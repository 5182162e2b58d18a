import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates `file` and its folder if they do not exist, and lets only this user access the file. SQLite gives the
 * write-ahead log and its index the permissions of the file.
 */
export const createPrivateFile = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    // Do not open an existing file: when a process closes a file, it loses all its locks on this file (POSIX, fcntl).
    const found = statSync(file);
    if (found.isFile() && (found.mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
};

import { AppError } from '@palimpsest/core';

// Result codes of SQLite (https://www.sqlite.org/rescode.html); the low byte of an extended code is its primary code.
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
const UNREACHABLE = new Set([SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN]);
// The system's own words for the same, from making the file and its folder.
const UNREACHABLE_SYSTEM = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EMFILE', 'ENFILE']);

const primaryCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

/** Whether another connection had the file locked. */
export const isBusy = (error: unknown): boolean => primaryCode(error) === SQLITE_BUSY;

/** Whether the file is damaged or holds no database. */
export const isNoDatabase = (error: unknown): boolean => {
  const code = primaryCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
};

/** `SERVICE_UNAVAILABLE` for an error that says that the store cannot be reached now; any other error as it is. */
export const translated = (error: unknown): unknown => {
  const unreachable =
    UNREACHABLE.has(primaryCode(error) ?? -1) ||
    (error instanceof Error && 'code' in error && UNREACHABLE_SYSTEM.has(String(error.code)));
  return unreachable
    ? new AppError('SERVICE_UNAVAILABLE', 'The database cannot be reached at the moment.', { cause: error })
    : error;
};

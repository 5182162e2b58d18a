import { AppError } from '@palimpsest/core';

// Result codes of SQLite (https://www.sqlite.org/rescode.html); the low byte of an extended code is its primary code.
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
const UNAVAILABLE = new Set([SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN]);
// Errors of the operating system for the same conditions, when the file and its folder are created.
const UNAVAILABLE_SYSTEM = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EMFILE', 'ENFILE']);

const primaryCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

/** Whether a call failed because another connection locks the file. */
export const isLocked = (error: unknown): boolean => primaryCode(error) === SQLITE_BUSY;

/** Whether the file is damaged or is not a database. */
export const isNoDatabase = (error: unknown): boolean => {
  const code = primaryCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
};

/** Translates an error of an unavailable database to `SERVICE_UNAVAILABLE`, and returns any other error unchanged. */
export const translated = (error: unknown): unknown => {
  const isUnavailable =
    UNAVAILABLE.has(primaryCode(error) ?? -1) ||
    (error instanceof Error && 'code' in error && UNAVAILABLE_SYSTEM.has(String(error.code)));
  return isUnavailable
    ? new AppError('SERVICE_UNAVAILABLE', 'The database cannot be reached at the moment.', { cause: error })
    : error;
};

/** The error of a call after the database was closed. */
export const closedError = (): AppError => new AppError('SERVICE_UNAVAILABLE', 'The database is closed.');

/** Whether `error` is a system error with one of these codes, such as `ENOENT`. */
export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code);

/** Whether a disk is full, over quota, read-only or broken, or too many files are open. A retry may succeed later. */
export const isDiskFailure = (error: unknown): boolean =>
  hasErrorCode(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE');

/** Awaits `work`, a call of the file system. Returns `undefined` if the file does not exist. */
export const unlessAbsent = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

import { AppError, damagedPdf, passwordProtectedPdf, unsupportedPdfEncryption } from '@palimpsest/core';

// fpdfview.h
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;

/** Translates the error code of PDFium for a file that it could not open. */
export const openingError = (code: number): AppError => {
  if (code === ERROR_PASSWORD) return passwordProtectedPdf();
  return code === ERROR_SECURITY ? unsupportedPdfEncryption() : damagedPdf();
};

/** The error for a `subject`, for example `Page 3`, that needs too much memory. */
export const outOfMemory = (subject: string, cause?: unknown): AppError =>
  new AppError(
    'PAGE_OUT_OF_MEMORY',
    `${subject} needs too much memory to be read.`,
    cause === undefined ? {} : { cause },
  );

/** Whether an allocation failed, in WebAssembly or in JavaScript. Such errors have no code, only a message. */
export const isAllocationFailure = (error: unknown): error is Error =>
  error instanceof Error && /OOM|enlarge memory|allocation failed|array length/i.test(error.message);

/**
 * Translates a WebAssembly trap, which replaces the crash of a native PDFium. The content of the file causes the trap,
 * so a retry would trap again. The result has a `cause`, which means that this instance of PDFium must not be used
 * again. Returns any other error unchanged. `subject` is for example `Page 3 of the PDF`.
 */
export const translateTrap = (error: unknown, subject: string): unknown => {
  const isTrap = error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError');
  if (!isTrap) return error;
  if (isAllocationFailure(error)) return outOfMemory(subject, error);
  return new AppError('DOCUMENT_DAMAGED', `${subject} has a structure that cannot be read.`, { cause: error });
};

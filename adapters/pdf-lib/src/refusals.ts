import { AppError } from '@palimpsest/core';

const withCause = (cause: unknown): { cause?: unknown } => (cause === undefined ? {} : { cause });

/** An image that cannot be decoded as a whole. */
export const damagedImage = (cause?: unknown): AppError =>
  new AppError('DOCUMENT_DAMAGED', 'The image is damaged or incomplete, so that it cannot be read.', withCause(cause));

/** An image of more pixels than are decoded. */
export const tooLargeImage = (): AppError =>
  new AppError('PAGE_TOO_LARGE', 'The image has too many pixels to be read. Upload it at a lower resolution.');

/** A PDF that cannot be opened, or not be written anew. */
export const damagedPdf = (cause?: unknown): AppError =>
  new AppError(
    'DOCUMENT_DAMAGED',
    'The PDF is damaged or built in a way that no searchable copy can be made of it.',
    withCause(cause),
  );

/** More memory than there is for one file. */
export const outOfMemory = (cause?: unknown): AppError =>
  new AppError('PAGE_OUT_OF_MEMORY', 'The file needs too much memory to be made searchable.', withCause(cause));

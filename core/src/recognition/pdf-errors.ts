import { AppError } from '../errors.ts';

const withCause = (cause: unknown): { cause?: unknown } => (cause === undefined ? {} : { cause });

/** A PDF that opens only with a password. */
export const passwordProtectedPdf = (): AppError =>
  new AppError('DOCUMENT_ENCRYPTED', 'The PDF is protected by a password. Remove the password and upload it again.');

/** A PDF with an encryption that the PDF libraries of this service do not support. */
export const unsupportedPdfEncryption = (): AppError =>
  new AppError(
    'DOCUMENT_ENCRYPTED',
    'The PDF is protected in a way that cannot be opened. Remove the protection and upload it again.',
  );

/** A file that cannot be opened as a PDF. */
export const damagedPdf = (cause?: unknown): AppError =>
  new AppError('DOCUMENT_DAMAGED', 'The file cannot be opened. It is damaged or not a PDF.', withCause(cause));

/** A PDF that can be opened and has no pages. */
export const pdfWithoutPages = (): AppError => new AppError('DOCUMENT_WITHOUT_PAGES', 'The PDF has no pages.');

/** A page of a PDF that cannot be rendered. */
export const damagedPdfPage = (number: number, cause?: unknown): AppError =>
  new AppError('DOCUMENT_DAMAGED', `Page ${number} of the PDF is damaged and cannot be rendered.`, withCause(cause));

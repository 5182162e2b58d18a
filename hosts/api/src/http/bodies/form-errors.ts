import { AppError, fileTooLarge, isAppError } from '@palimpsest/core';
import { MulterError } from 'multer';

export const invalidUpload = (message: string): AppError => new AppError('INVALID_UPLOAD', message);

export const ONE_FILE = 'Send exactly one file, in the form field "file".';

// Messages of busboy and multer about a body that is not a complete multipart form. These errors have no code.
const BROKEN_FORM =
  /^(Multipart: |Malformed |Unexpected end of |Unsupported content type|Missing Content-Type|Part terminated early|Too many |Request (aborted|closed|error)|aborted$|premature close$|File stream)/i;

/** Translates the errors of multer and its parser to errors for the client. Returns other errors unchanged. */
export const translateFormError = (error: unknown): unknown => {
  if (error instanceof MulterError) {
    switch (error.code) {
      case 'LIMIT_FILE_SIZE':
        return fileTooLarge();
      case 'LIMIT_UNEXPECTED_FILE':
      case 'LIMIT_FILE_COUNT':
        return invalidUpload(ONE_FILE);
      case 'LIMIT_FIELD_VALUE':
        return new AppError('VALIDATION_ERROR', `${error.field === 'title' ? 'title' : 'A form field'} is too long.`);
      default:
        return invalidUpload(`The form cannot be read: ${error.message.toLowerCase()}.`);
    }
  }
  if (!isAppError(error) && error instanceof Error && BROKEN_FORM.test(error.message)) {
    return invalidUpload('The multipart form is broken or cut off. Send it again.');
  }
  return error;
};

import type { Readable } from 'node:stream';
import { AppError, fileTooLarge, isAppError, MAX_UPLOAD_BYTES, type ReceivedFile } from '@palimpsest/core';
import type { UseCases } from '@palimpsest/composition';
import type { Request, RequestHandler } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { HttpError } from './error-response.ts';
import { continueSending } from './expect-continue.ts';

/** What the form may hold beside the bytes of the file: boundaries, part headers and text fields. */
const FORM_OVERHEAD_BYTES = 64 * 1024;
const MAX_BODY_BYTES = MAX_UPLOAD_BYTES + FORM_OVERHEAD_BYTES;

/** A file that lies in the store, and the name that the client gave it. */
export interface UploadedFile {
  readonly received: ReceivedFile;
  readonly filename: string;
}

const invalid = (message: string): AppError => new AppError('INVALID_UPLOAD', message);

const ONE_FILE = 'Send exactly one file, in the form field "file".';

/** The refusal that fits what multer or its parser complains about; faults that are ours stay as they are. */
const translate = (error: unknown): unknown => {
  if (error instanceof MulterError) {
    switch (error.code) {
      case 'LIMIT_FILE_SIZE':
        return fileTooLarge();
      case 'LIMIT_UNEXPECTED_FILE':
      case 'LIMIT_FILE_COUNT':
        return invalid(ONE_FILE);
      case 'LIMIT_FIELD_VALUE':
        return new AppError('VALIDATION_ERROR', `${error.field === 'title' ? 'title' : 'A form field'} is too long.`);
      default:
        return invalid(`The form cannot be read: ${error.message.toLowerCase()}.`);
    }
  }
  if (isAppError(error)) return error;
  if (error instanceof Error && FORM_FAULT.test(error.message)) {
    return invalid('The multipart form is broken or cut off. Send it again.');
  }
  return error;
};

// What busboy and multer say of a body that is not a whole multipart form.
const FORM_FAULT =
  /^(Multipart: |Malformed |Unexpected end of |Unsupported content type|Missing Content-Type|Part terminated early|Too many |Request (aborted|closed|error)|aborted$|premature close$|File stream)/i;

/** Multer hands on a copy of the file with what the storage engine adds to it. */
type StoredFile = Express.Multer.File & { readonly received?: ReceivedFile };

const storage = (
  useCases: Pick<UseCases, 'receiveFile' | 'discardFile'>,
  failures: WeakMap<Request, (error: unknown) => void>,
): StorageEngine => ({
  _handleFile: (req, file, done) => {
    // Giving up the file must not destroy its stream: multer would report that instead of our reason.
    const bytes = file.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    useCases.receiveFile(bytes).then(
      (received) => done(null, { received } as Partial<StoredFile>),
      (error: unknown) => {
        // Told at once, because multer reads the whole body before it says anything.
        failures.get(req)?.(error);
        file.stream.resume();
        done(error);
      },
    );
  },
  _removeFile: (_req, file, done) => {
    const { received } = file as StoredFile;
    if (!received) {
      done(null);
      return;
    }
    useCases.discardFile(received).then(() => done(null), done);
  },
});

/** The file that a request brought, behind {@link receiveUpload}. Throws `INVALID_UPLOAD` if it brought none. */
export const uploadedFile = (req: Request): UploadedFile => {
  const file: StoredFile | undefined = req.file;
  if (!file?.received) throw invalid(ONE_FILE);
  return { received: file.received, filename: file.originalname };
};

const countBytes = (source: Readable, limit: number, exceeded: () => void): void => {
  let bytes = 0;
  source.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limit && bytes - chunk.length <= limit) exceeded();
  });
};

/**
 * Streams the form's file into the store while it arrives. Refusals are given as soon as they are certain: over-long
 * bodies by their declared length before anything is read, or when the limit is passed.
 */
export const receiveUpload = (useCases: Pick<UseCases, 'receiveFile' | 'discardFile'>): RequestHandler => {
  const failures = new WeakMap<Request, (error: unknown) => void>();
  const parseForm = multer({
    storage: storage(useCases, failures),
    defParamCharset: 'utf8',
    // The parser would make a name like ".." no name at all; the core cleans names itself.
    preservePath: true,
    limits: {
      files: 1,
      fields: 20,
      parts: 21,
      fieldNameSize: 100,
      fieldSize: 16 * 1024,
      headerPairs: 50,
      fieldNestingDepth: 1,
      fieldArrayIndexLimit: 0,
    },
  }).single('file');
  return (req, res, next) => {
    let answered = false;
    const once = (error?: unknown): void => {
      if (answered) return;
      answered = true;
      next(error === undefined ? undefined : translate(error));
    };
    if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw fileTooLarge();
    if (!req.is('multipart/form-data')) {
      if ((req.get('content-type') ?? '') !== '')
        throw new HttpError(
          'UNSUPPORTED_MEDIA_TYPE',
          'Send the file as multipart/form-data, in the form field "file".',
        );
      throw invalid('Send the file as multipart/form-data, in the form field "file".');
    }
    failures.set(req, once);
    continueSending(req, res);
    countBytes(req, MAX_BODY_BYTES, () => once(fileTooLarge()));
    parseForm(req, res, once);
  };
};

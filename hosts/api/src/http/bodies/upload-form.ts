import type { Readable } from 'node:stream';
import { fileTooLarge, MAX_UPLOAD_BYTES, type ReceivedFile } from '@palimpsest/core';
import type { UseCases } from '@palimpsest/composition';
import type { Request, RequestHandler } from 'express';
import multer, { type StorageEngine } from 'multer';
import { z } from 'zod';
import { HttpError } from '../http-error.ts';
import { validated } from '../request-validation.ts';
import { sendContinue } from './expect-continue.ts';
import { invalidUpload, ONE_FILE, translateFormError } from './form-errors.ts';
import type { RequestBody } from './request-body.ts';

/** The maximum size of the form without its file: boundaries, part headers and text fields. */
const FORM_OVERHEAD_BYTES = 64 * 1024;
const MAX_BODY_BYTES = MAX_UPLOAD_BYTES + FORM_OVERHEAD_BYTES;

type FileUseCases = Pick<UseCases, 'receiveFile' | 'discardFile'>;

/** A file in the blob store, with the file name from the form. */
export interface UploadedFile {
  readonly received: ReceivedFile;
  readonly filename: string;
}

/** The storage engine adds `received` to the file, and multer copies it to `req.file`. */
type StoredFile = Express.Multer.File & { readonly received?: ReceivedFile };

const storage = (useCases: FileUseCases, failures: WeakMap<Request, (error: unknown) => void>): StorageEngine => ({
  _handleFile: (req, file, done) => {
    // If the iterator destroyed the stream, multer would report that instead of the actual error.
    const bytes = file.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    useCases.receiveFile(bytes).then(
      (received) => done(null, { received } as Partial<StoredFile>),
      (error: unknown) => {
        // Report the error at once, because multer reports it only after it has read the whole body.
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

const onBytesOver = (source: Readable, limit: number, exceeded: () => void): void => {
  let bytes = 0;
  source.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limit && bytes - chunk.length <= limit) exceeded();
  });
};

/** Streams the file of the form into the blob store while it arrives. Refuses as early as possible. */
const receiveForm = (useCases: FileUseCases): RequestHandler => {
  const failures = new WeakMap<Request, (error: unknown) => void>();
  const parseForm = multer({
    storage: storage(useCases, failures),
    defParamCharset: 'utf8',
    // Without this option, multer changes a file name like ".." to an empty name. The core cleans file names.
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
    let isAnswered = false;
    const once = (error?: unknown): void => {
      if (isAnswered) return;
      isAnswered = true;
      next(error === undefined ? undefined : translateFormError(error));
    };
    if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw fileTooLarge();
    if (!req.is('multipart/form-data')) {
      const message = 'Send the file as multipart/form-data, in the form field "file".';
      throw (req.get('content-type') ?? '') === ''
        ? invalidUpload(message)
        : new HttpError('UNSUPPORTED_MEDIA_TYPE', message);
    }
    failures.set(req, once);
    sendContinue(req, res);
    onBytesOver(req, MAX_BODY_BYTES, () => once(fileTooLarge()));
    parseForm(req, res, once);
  };
};

const uploadedFile = (req: Request): UploadedFile => {
  const file: StoredFile | undefined = req.file;
  if (!file?.received) throw invalidUpload(ONE_FILE);
  return { received: file.received, filename: file.originalname };
};

/** A multipart form with one file in the field `file` and some text fields. */
export const uploadForm = <Fields extends z.ZodObject>(
  fields: Fields,
  fileDescription: string,
): RequestBody<{ readonly file: UploadedFile; readonly fields: z.output<Fields> }> => ({
  openApi: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: z.object({ file: z.file().meta({ description: fileDescription }), ...fields.shape }),
      },
    },
  },
  refusals: [
    'INVALID_UPLOAD',
    'EMPTY_FILE',
    'VALIDATION_ERROR',
    'REQUEST_TIMEOUT',
    'FILE_TOO_LARGE',
    'UNSUPPORTED_FILE_TYPE',
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  read: ({ useCases }) => [receiveForm(useCases)],
  parse: async (req, useCases) => {
    const file = uploadedFile(req);
    try {
      return { file, fields: validated(fields, req.body) };
    } catch (error) {
      await useCases.discardFile(file.received);
      throw error;
    }
  },
});

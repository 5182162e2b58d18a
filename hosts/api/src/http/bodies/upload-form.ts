import type { Readable } from 'node:stream';
import { fileTooLarge, MAX_UPLOAD_BYTES, type ReceivedFile, type ReceiveFile } from '@palimpsest/core';
import type { Request, Response } from 'express';
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

/** A file in the blob store, with the file name from the form. */
export interface UploadedFile {
  readonly received: ReceivedFile;
  readonly filename: string;
}

interface UploadedForm<Fields> {
  readonly file: UploadedFile;
  readonly fields: Fields;
}

/** The storage engine adds `received` to the file, and multer copies it to `req.file`. */
type StoredFile = Express.Multer.File & { readonly received?: ReceivedFile };

/** Receives the file of one form. `refuse` gets an error at once: multer reports it after it has read the whole body. */
const storage = (receive: ReceiveFile, refuse: (error: unknown) => void): StorageEngine => ({
  _handleFile: (_req, file, done) => {
    // If the iterator destroyed the stream, multer would report that instead of the actual error.
    const bytes = file.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    receive(bytes).then(
      (received) => done(null, { received } as Partial<StoredFile>),
      (error: unknown) => {
        refuse(error);
        file.stream.resume();
        done(error);
      },
    );
  },
  // The core discards the file of a refused form.
  _removeFile: (_req, _file, done) => done(null),
});

const onBytesOver = (source: Readable, limit: number, exceeded: () => void): void => {
  let bytes = 0;
  source.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limit && bytes - chunk.length <= limit) exceeded();
  });
};

const checkHeaders = (req: Request): void => {
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw fileTooLarge();
  if (req.is('multipart/form-data')) return;
  const message = 'Send the file as multipart/form-data, in the form field "file".';
  throw (req.get('content-type') ?? '') === ''
    ? invalidUpload(message)
    : new HttpError('UNSUPPORTED_MEDIA_TYPE', message);
};

/** Streams the file of the form into the blob store while it arrives. Refuses as early as possible. */
const readForm = (req: Request, res: Response, receive: ReceiveFile): Promise<void> =>
  new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => reject(translateFormError(error));
    const parseForm = multer({
      storage: storage(receive, refuse),
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
    sendContinue(req, res);
    onBytesOver(req, MAX_BODY_BYTES, () => refuse(fileTooLarge()));
    parseForm(req, res, (error?: unknown) => (error === undefined ? resolve() : refuse(error)));
  });

const uploadedFile = (req: Request): UploadedFile => {
  const file: StoredFile | undefined = req.file;
  if (!file?.received) throw invalidUpload(ONE_FILE);
  return { received: file.received, filename: file.originalname };
};

/** A multipart form with one file in the field `file` and some text fields. */
export const uploadForm = <Fields extends z.ZodObject>(
  fields: Fields,
  fileDescription: string,
): RequestBody<UploadedForm<z.output<Fields>>> => {
  const forms = new WeakMap<Request, UploadedForm<z.output<Fields>>>();
  return {
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
    read: ({ useCases }) => [
      async (req, res, next) => {
        checkHeaders(req);
        const form = await useCases.receiveOrDiscard(async (receive) => {
          await readForm(req, res, receive);
          return { file: uploadedFile(req), fields: validated(fields, req.body) };
        });
        forms.set(req, form);
        next();
      },
    ],
    parse: async (req) => {
      const form = forms.get(req);
      if (!form) throw new TypeError('The form of this request was not read');
      return form;
    },
  };
};

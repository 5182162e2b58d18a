import { join } from 'node:path';
import { isSenderAddress } from '@palimpsest/core';
import { z } from 'zod';

/** One environment variable: its meaning, its allowed values, and the schema that parses it. */
export interface Variable<T> {
  readonly name: string;
  readonly meaning: string;
  readonly allowed: string;
  readonly shownDefault: string;
  readonly schema: z.ZodType<T, string | undefined>;
}

const wholeNumber = (min: number, max: number, fallback: number): z.ZodType<number, string | undefined> =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .transform((text) => (text === undefined ? fallback : Number(text)))
    .pipe(z.number().int().min(min).max(max));

const oneOf = <const T extends readonly [string, ...string[]]>(
  values: T,
  fallback: T[number],
): z.ZodType<T[number], string | undefined> =>
  z
    .string()
    .optional()
    .transform((text) => text ?? fallback)
    .pipe(z.enum(values));

const define = <T>(
  name: string,
  shownDefault: string,
  allowed: string,
  meaning: string,
  schema: z.ZodType<T, string | undefined>,
): Variable<T> => ({ name, shownDefault, allowed, meaning, schema });

const httpUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return (
    url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.search === '' && url.hash === ''
  );
});

const origins = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  )
  .refine((list) => list.every((origin) => URL.parse(origin)?.origin === origin));

const isSmtpUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === 'smtp:' || url.protocol === 'smtps:') &&
    url.hostname !== '' &&
    url.hash === '' &&
    /^\/?$/.test(url.pathname)
  );
};

// Bucket names: https://cloud.google.com/storage/docs/buckets#naming. A prefix may have only characters that need no
// escaping in a URL.
const GS_URL = /^gs:\/\/[a-z0-9][a-z0-9._-]{1,220}[a-z0-9](\/[A-Za-z0-9._-]+)*\/?$/;

const isBlobStoreUrl = (text: string): boolean => /^file:.+/.test(text) || GS_URL.test(text);

const emulator = z
  .string()
  .transform((text) => (/^https?:\/\//.test(text) ? text : `http://${text}`))
  .refine((text) => URL.parse(text)?.pathname === '/' && URL.parse(text)?.origin === text.replace(/\/$/, ''))
  .transform((text) => text.replace(/\/$/, ''));

const SENDER = /^(?:"?(?<name>[^"<>@\p{C}]{0,100}?)"?\s*<(?<bracketed>[^<>]+)>|(?<plain>[^<>]+))$/u;

const sender = z
  .string()
  .regex(SENDER)
  .transform((text) => {
    const { name, bracketed, plain } = SENDER.exec(text)?.groups ?? {};
    return { name: name?.trim() ?? '', address: bracketed ?? plain ?? '' };
  })
  .refine(({ address }) => isSenderAddress(address));

/** Every environment variable that the hosts read. {@link readConfig} and `--help` use this table. */
export const variables = (cores: number) =>
  ({
    port: define(
      'PORT',
      '3000',
      'a port, 0 to 65535 (0: any free port)',
      'port of the API',
      wholeNumber(0, 65_535, 3000),
    ),
    host: define(
      'HOST',
      '127.0.0.1',
      'an IP address or host name',
      'address on which the API listens',
      z.string().min(1).max(253).optional(),
    ),
    publicUrl: define(
      'PUBLIC_URL',
      'http://localhost:$PORT',
      'an http or https URL without query',
      'URL of the service for its users, used in e-mails and as the issuer of tokens',
      httpUrl.optional(),
    ),
    dataDir: define(
      'DATA_DIR',
      './data',
      'a folder',
      'folder for all data of the embedded defaults',
      z.string().min(1).optional(),
    ),
    databaseUrl: define(
      'DATABASE_URL',
      'sqlite:$DATA_DIR/palimpsest.db',
      'sqlite:PATH, mongodb://… or mongodb+srv://…',
      'database for documents, accounts, rate limits and jobs',
      z
        .string()
        .regex(/^(sqlite:.+|mongodb(\+srv)?:\/\/.+)/)
        .optional(),
    ),
    blobStoreUrl: define(
      'BLOB_STORE_URL',
      'file:$DATA_DIR/blobs',
      'file:PATH or gs://BUCKET/PREFIX',
      'storage of the uploaded files',
      z.string().refine(isBlobStoreUrl).optional(),
    ),
    storageEmulatorHost: define(
      'STORAGE_EMULATOR_HOST',
      'none (Google Cloud Storage itself)',
      'HOST:PORT or an http or https URL without a path',
      'address of a Google Cloud Storage emulator, used without credentials',
      emulator.optional(),
    ),
    ocrEngine: define(
      'OCR_ENGINE',
      'auto',
      'auto, native or wasm',
      'OCR engine: native is the tesseract program, wasm is built in; auto uses native if it is installed',
      oneOf(['auto', 'native', 'wasm'], 'auto'),
    ),
    ocrLanguages: define(
      'OCR_LANGUAGES',
      'eng',
      'Tesseract language codes joined by +, such as eng+deu',
      'languages of the documents',
      z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9_]{1,30}(\+[A-Za-z][A-Za-z0-9_]{1,30}){0,7}$/)
        .optional(),
    ),
    ocrTextLayer: define(
      'OCR_TEXT_LAYER',
      'prefer',
      'prefer or ignore',
      'prefer uses the text layer of a PDF page if it is usable; ignore recognizes every page',
      oneOf(['prefer', 'ignore'], 'prefer'),
    ),
    ocrMaxAttempts: define(
      'OCR_MAX_ATTEMPTS',
      '5',
      '1 to 100',
      'number of attempts before a document fails',
      wholeNumber(1, 100, 5),
    ),
    ocrTimeoutS: define(
      'OCR_TIMEOUT_S',
      '300',
      '1 to 86400',
      'time limit for the work on one document in seconds (one page: at most 60)',
      wholeNumber(1, 86_400, 300),
    ),
    ocrMaxPages: define(
      'OCR_MAX_PAGES',
      '500',
      '1 to 100000',
      'maximum number of pages of one document',
      wholeNumber(1, 100_000, 500),
    ),
    ocrMaxPixels: define(
      'OCR_MAX_PIXELS',
      '100000000',
      '10000 to 1000000000',
      'maximum number of pixels of one page',
      wholeNumber(10_000, 1_000_000_000, 100_000_000),
    ),
    pdfRasterizer: define(
      'PDF_RASTERIZER',
      'auto',
      'auto, pdfium, poppler or pdf2pic',
      'renderer of PDF pages: pdfium is built in, poppler is the pdftoppm program, pdf2pic uses GraphicsMagick and Ghostscript; auto uses poppler if it is installed, else pdfium',
      oneOf(['auto', 'pdfium', 'poppler', 'pdf2pic'], 'auto'),
    ),
    worker: define(
      'WORKER',
      'inline',
      'inline or external',
      'inline: the API process also runs the worker; external: separate worker processes run the jobs',
      oneOf(['inline', 'external'], 'inline'),
    ),
    workerConcurrency: define(
      'WORKER_CONCURRENCY',
      `the number of cores (${cores})`,
      '1 to 256',
      'number of pages that are recognized at once',
      wholeNumber(1, 256, cores),
    ),
    workerHealthPort: define(
      'WORKER_HEALTH_PORT',
      'none',
      'a port, 0 to 65535 (0: any free port)',
      'port of the worker host for GET /healthz and GET /readyz',
      z
        .string()
        .regex(/^\d{1,5}$/)
        .transform(Number)
        .pipe(z.number().max(65_535))
        .optional(),
    ),
    smtpUrl: define(
      'SMTP_URL',
      'none (mails are written to $DATA_DIR/outbox)',
      'smtp://[USER:PASSWORD@]HOST[:PORT] or smtps://…, with ?requireTLS=true to require STARTTLS',
      'mail server',
      z.string().refine(isSmtpUrl).optional(),
    ),
    mailFrom: define(
      'MAIL_FROM',
      'Palimpsest <no-reply@localhost>',
      'an address, or NAME <ADDRESS>',
      'sender of mails',
      sender.optional(),
    ),
    jwtSecret: define(
      'JWT_SECRET',
      'created at the first start and stored in $DATA_DIR; required with MongoDB',
      'at least 32 bytes',
      'secret that signs tokens; the same for every process',
      z
        .string()
        .refine((text) => Buffer.byteLength(text) >= 32)
        .optional(),
    ),
    trustProxy: define(
      'TRUST_PROXY',
      '0',
      '0 to 10',
      'number of proxies in front of the API whose X-Forwarded-For header is trusted',
      wholeNumber(0, 10, 0),
    ),
    corsOrigins: define(
      'CORS_ORIGINS',
      'none',
      'origins such as https://app.example.org, separated by commas',
      'origins of web pages that may call the API',
      origins.optional(),
    ),
    logLevel: define(
      'LOG_LEVEL',
      'info',
      'fatal, error, warn, info, debug, trace or silent',
      'log level',
      oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    ),
    shutdownTimeoutS: define(
      'SHUTDOWN_TIMEOUT_S',
      '30',
      '0 to 3600',
      'time limit for a graceful shutdown in seconds',
      wholeNumber(0, 3600, 30),
    ),
  }) as const;

/** Parses a path from the environment: absolute, relative to the working folder, or the rest of a `file:///…` URL. */
export const pathOf = (text: string): string =>
  text.startsWith('//') ? decodeURIComponent(new URL(`file:${text}`).pathname) : join(text);

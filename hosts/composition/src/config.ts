import { join } from 'node:path';
import { pathOf, variables } from './variables.ts';

/** SQLite: one file for documents, accounts and jobs, and a second one beside it for the rate counters. */
export interface SqliteConfig {
  readonly kind: 'sqlite';
  readonly file: string;
  readonly limitsFile: string;
}

/** A MongoDB server or cluster for documents, accounts, jobs and rate counters. */
export interface MongodbConfig {
  readonly kind: 'mongodb';
  readonly url: string;
}

/** A local folder for the uploaded files. */
export interface FilesConfig {
  readonly kind: 'file';
  readonly folder: string;
}

/** A bucket of Google Cloud Storage, or of an emulator (`http://HOST:PORT`), for the uploaded files. */
export interface GcsConfig {
  readonly kind: 'gs';
  readonly url: string;
  readonly emulator: string | undefined;
}

/** The configuration of the service. It is read once at the start. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string; // without a trailing slash
  readonly dataDir: string;
  readonly database: SqliteConfig | MongodbConfig;
  readonly blobStore: FilesConfig | GcsConfig;
  readonly ocr: {
    readonly engine: 'auto' | 'native' | 'wasm';
    readonly languages: string;
    readonly textLayer: 'prefer' | 'ignore';
    readonly maxAttempts: number;
    readonly documentTimeoutMs: number;
    readonly pageTimeoutMs: number;
    readonly maxPages: number;
    readonly maxPixels: number;
  };
  readonly pdfRasterizer: 'auto' | 'pdfium' | 'poppler' | 'pdf2pic';
  readonly worker: 'inline' | 'external';
  readonly workerConcurrency: number;
  readonly healthPort: number | undefined; // of the worker host
  readonly mail: {
    readonly smtpUrl: string | undefined;
    readonly from: { readonly name: string; readonly address: string };
    readonly outboxFolder: string; // used without SMTP_URL
  };
  readonly jwtSecret: string | undefined;
  readonly trustProxy: number;
  readonly corsOrigins: readonly string[];
  readonly logLevel: string;
  readonly shutdownTimeoutMs: number;
}

/** Invalid environment variables: one line for each, with its name and the allowed values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const PAGE_TIMEOUT_S = 60;

const databaseOf = (url: string | undefined, dataDir: string): Config['database'] => {
  if (url?.startsWith('mongodb')) return { kind: 'mongodb', url };
  const file = url === undefined ? join(dataDir, 'palimpsest.db') : pathOf(url.slice('sqlite:'.length));
  return { kind: 'sqlite', file, limitsFile: `${file.replace(/\.(db|sqlite3?)$/, '')}-limits.db` };
};

const blobStoreOf = (url: string | undefined, emulator: string | undefined, dataDir: string): Config['blobStore'] => {
  if (url?.startsWith('gs:')) return { kind: 'gs', url, emulator };
  return { kind: 'file', folder: url === undefined ? join(dataDir, 'blobs') : pathOf(url.slice('file:'.length)) };
};

/**
 * Parses the environment variables. An empty variable counts as not set. Throws one {@link ConfigError} with all
 * faults. Its message contains no secret.
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>, cores: number): Config => {
  const table = variables(cores);
  const faults: string[] = [];
  const read = <K extends keyof typeof table>(key: K): ReturnType<(typeof table)[K]['schema']['parse']> => {
    const { name, allowed, schema } = table[key];
    const given = env[name];
    const result = schema.safeParse(given === undefined || given === '' ? undefined : given);
    if (!result.success) faults.push(`${name} is not usable: it must be ${allowed}.`);
    return result.data as ReturnType<(typeof table)[K]['schema']['parse']>;
  };
  const port = read('port');
  const dataDir = read('dataDir') ?? 'data';
  const database = databaseOf(read('databaseUrl'), dataDir);
  const timeoutS = read('ocrTimeoutS');
  const config: Config = {
    port,
    host: read('host') ?? '127.0.0.1',
    publicUrl: (read('publicUrl') ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    dataDir,
    database,
    blobStore: blobStoreOf(read('blobStoreUrl'), read('storageEmulatorHost'), dataDir),
    ocr: {
      engine: read('ocrEngine'),
      languages: read('ocrLanguages') ?? 'eng',
      textLayer: read('ocrTextLayer'),
      maxAttempts: read('ocrMaxAttempts'),
      documentTimeoutMs: timeoutS * 1000,
      pageTimeoutMs: Math.min(timeoutS, PAGE_TIMEOUT_S) * 1000,
      maxPages: read('ocrMaxPages'),
      maxPixels: read('ocrMaxPixels'),
    },
    pdfRasterizer: read('pdfRasterizer'),
    worker: read('worker'),
    workerConcurrency: read('workerConcurrency'),
    healthPort: read('workerHealthPort'),
    mail: {
      smtpUrl: read('smtpUrl'),
      from: read('mailFrom') ?? { name: 'Palimpsest', address: 'no-reply@localhost' },
      outboxFolder: join(dataDir, 'outbox'),
    },
    jwtSecret: read('jwtSecret'),
    trustProxy: read('trustProxy'),
    corsOrigins: read('corsOrigins') ?? [],
    logLevel: read('logLevel'),
    shutdownTimeoutMs: read('shutdownTimeoutS') * 1000,
  };
  if (database.kind === 'mongodb' && !env[table.jwtSecret.name]) {
    faults.push(
      `${table.jwtSecret.name} is not usable: with MongoDB it must be set, to at least 32 bytes, the same for every process.`,
    );
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
};

/** The table that `--help` prints. */
export const describeVariables = (cores: number): string =>
  Object.values(variables(cores))
    .map(
      ({ name, shownDefault, allowed, meaning }) =>
        `  ${name}\n      ${meaning}\n      ${allowed}; default: ${shownDefault}`,
    )
    .join('\n');

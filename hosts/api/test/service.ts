import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, openLog, readConfig, type Composition } from '@palimpsest/composition';
import type { PageText } from '@palimpsest/core';
import { MemoryPasswordHasher } from '@palimpsest/memory';
import { startWorker } from '@palimpsest/worker';
import { serve } from '../src/serve.ts';
import { backendsOfRun } from './backends.ts';
import { watchResponses } from './response-check.ts';
import { watchJobs } from './watched-jobs.ts';

/** A service on a free port, with its data in a temporary folder. */
export interface TestService {
  readonly url: string;
  readonly folder: string;
  /** Settings for another service on the same data. */
  readonly env: Readonly<Record<string, string>>;
  readonly composition: Composition;
  /** The number of jobs of a kind that are neither running nor done. */
  waitingJobs(kind: string): number;
  /** Registers a new user and signs them in. */
  signUp(): Promise<TestUser>;
  close(graceMs?: number): Promise<void>;
}

/** A signed-in user. */
export interface TestUser {
  readonly email: string;
  readonly token: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  upload(content: Uint8Array | string, filename: string, title?: string): Promise<Response>;
}

export const PASSWORD = 'correct horse battery staple';

let users = 0;

// Adapters that do not depend on the programs that are installed on the machine.
const EMBEDDED = { OCR_ENGINE: 'wasm', PDF_RASTERIZER: 'pdfium' };

const EMPTY_PAGE: PageText = { text: '', confidence: 0, words: [] };

interface ServiceOptions {
  readonly worker?: boolean; // default: false
  readonly env?: Readonly<Record<string, string>>;
  readonly passwords?: 'argon2' | 'fast'; // default: fast, because Argon2 needs most of the time of a test
  readonly ocr?: 'tesseract.js' | PageText; // default: every scanned page is empty
}

/** Replaces adapters that need much CPU time by fast ones. */
const replaceSlowAdapters = (
  { ports }: Composition,
  { passwords = 'fast', ocr = EMPTY_PAGE }: ServiceOptions,
): void => {
  if (passwords === 'fast') {
    const fast = new MemoryPasswordHasher();
    ports.passwordHasher.hash = (password) => fast.hash(password);
    ports.passwordHasher.verify = (password, hash) => fast.verify(password, hash);
  }
  if (ocr !== 'tesseract.js') {
    ports.ocrEngine.recognize = async () => ocr;
    ports.ocrEngine.detectOrientation = async () => undefined;
  }
};

/**
 * Starts a service behind a trusted proxy, so that each user can have another client address. While it runs, `fetch`
 * compares every response of the service with the OpenAPI document.
 */
export const startService = async (options: ServiceOptions = {}): Promise<TestService> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-api-'));
  const backends = await backendsOfRun();
  const settings = {
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    TRUST_PROXY: '1',
    ...EMBEDDED,
    ...backends.env,
    ...options.env,
  };
  const config = readConfig(settings, 2);
  const composition = await compose(config, await openLog(config.logLevel));
  replaceSlowAdapters(composition, options);
  const waitingJobs = watchJobs(composition.ports.jobs);
  const served = await serve(composition, { eventPollMs: 10 });
  const unwatch = watchResponses(served.url);
  const working = options.worker === true ? await startWorker(composition) : undefined;

  const signUp = async (): Promise<TestUser> => {
    const email = `user${++users}@example.org`;
    const post = (path: string): Promise<Response> =>
      fetch(served.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.255.${users >> 8}.${users & 255}` },
        body: JSON.stringify({ email, password: PASSWORD }),
      });
    await post('/v1/auth/register');
    const { access_token: token } = (await (await post('/v1/auth/login')).json()) as { access_token: string };
    const authorised = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(served.url + path, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` },
      });
    const upload = (content: Uint8Array | string, filename: string, title?: string): Promise<Response> => {
      const form = new FormData();
      if (title !== undefined) form.set('title', title);
      form.set('file', new Blob([content as Uint8Array<ArrayBuffer>]), filename);
      return authorised('/v1/documents', { method: 'POST', body: form });
    };
    return { email, token, fetch: authorised, upload };
  };

  return {
    url: served.url,
    folder,
    env: { DATA_DIR: folder, ...backends.env },
    composition,
    waitingJobs,
    signUp,
    close: async (graceMs = 0) => {
      unwatch();
      await Promise.all([served.stop(graceMs), working?.stop(graceMs)]);
      await composition.close();
      await backends.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** The number of files in the blob store, including temporary ones. */
export const storedFiles = async ({ folder, composition }: TestService): Promise<number> => {
  if (composition.config.blobStore.kind === 'gs') {
    let count = 0;
    for await (const _ of composition.ports.blobs.list()) count++;
    return count;
  }
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
};

/** The status, code and message of an error response. Fails if the body is not exactly the error object. */
export const refusal = async (response: Response): Promise<{ status: number; code: string; message: string }> => {
  const body = (await response.json()) as { error: { code: string; message: string } };
  const keys = [Object.keys(body), Object.keys(body.error)];
  if (JSON.stringify(keys) !== '[["error"],["code","message"]]')
    throw new Error(`not the error object: ${JSON.stringify(body)}`);
  return { status: response.status, code: body.error.code, message: body.error.message };
};

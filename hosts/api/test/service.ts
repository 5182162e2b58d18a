import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, openLog, readConfig, type Composition } from '@palimpsest/composition';
import { startWorker } from '@palimpsest/worker';
import { serve } from '../src/serve.ts';
import { backendsOfRun } from './backends.ts';
import { watchResponses } from './response-check.ts';

/** A service of its own on a free port, with everything that it keeps in a temporary folder. */
export interface TestService {
  readonly url: string;
  readonly folder: string;
  /** What brings another service to the same data. */
  readonly env: Readonly<Record<string, string>>;
  readonly composition: Composition;
  /** Registers and signs in a new user. */
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

// The engines that are everywhere, whatever is installed beside them.
const EMBEDDED = { OCR_ENGINE: 'wasm', PDF_RASTERIZER: 'pdfium' };

/**
 * Starts a service behind a proxy that is trusted, so that each new user comes from an address of their own; with a worker
 * if asked for. What `fetch` gets from it is held to the description of the API.
 */
export const startService = async ({
  worker = false,
  env = {},
}: { worker?: boolean; env?: Record<string, string> } = {}): Promise<TestService> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-api-'));
  const backends = await backendsOfRun();
  const settings = {
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    TRUST_PROXY: '1',
    ...EMBEDDED,
    ...backends.env,
    ...env,
  };
  const config = readConfig(settings, 2);
  const composition = await compose(config, await openLog(config.logLevel));
  const served = await serve(composition);
  const unwatch = watchResponses(served.url);
  const working = worker ? await startWorker(composition) : undefined;

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

/** How many files lie in the blob store, temporary ones too. */
export const storedFiles = async ({ folder, composition }: TestService): Promise<number> => {
  if (composition.config.blobStore.kind === 'gs') {
    let count = 0;
    for await (const _ of composition.ports.blobs.list()) count++;
    return count;
  }
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
};

/** Waits until `condition` gives something, looking again after a moment; fails after `timeoutMs`. */
export const eventually = async <T>(condition: () => Promise<T | undefined>, timeoutMs = 50_000): Promise<T> => {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await condition();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

/** The status, the error code, and a check that the body is the error object and nothing else. */
export const refusal = async (response: Response): Promise<{ status: number; code: string; message: string }> => {
  const body = (await response.json()) as { error: { code: string; message: string } };
  const keys = [Object.keys(body), Object.keys(body.error)];
  if (JSON.stringify(keys) !== '[["error"],["code","message"]]')
    throw new Error(`not the error object: ${JSON.stringify(body)}`);
  return { status: response.status, code: body.error.code, message: body.error.message };
};

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createReadStream, fstatSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');

/** Returns a free port. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Polls `condition` every `everyMs` until it returns a value. Throws after `timeoutMs`. */
export const until = async <T>(
  what: string,
  condition: () => Promise<T | undefined>,
  timeoutMs: number,
  everyMs = 50,
): Promise<T> => {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await condition().catch(() => undefined);
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await new Promise((done) => setTimeout(done, everyMs));
  }
};

/** Checks whether a host is ready. The argument returns its log since the start. */
type IsReady = (logged: () => string) => Promise<boolean>;

/** A host process, started as by `npm start` or `npm run worker`. */
export class HostProcess {
  readonly logFile: string;
  readonly #host: 'api' | 'worker';
  readonly #env: Readonly<Record<string, string>>;
  readonly #isReady: IsReady;
  #child: ChildProcess | undefined;

  constructor(host: 'api' | 'worker', logFile: string, env: Readonly<Record<string, string>>, isReady: IsReady) {
    this.#host = host;
    this.logFile = logFile;
    this.#env = env;
    this.#isReady = isReady;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    const log = openSync(this.logFile, 'a');
    const from = fstatSync(log).size;
    const logged = (): string => readFileSync(this.logFile).subarray(from).toString();
    const child = spawn(process.execPath, ['--conditions=@palimpsest/source', `hosts/${this.#host}/start.js`], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...this.#env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child = child;
    await until(
      `start of the ${this.#host}`,
      async () => {
        if (child.exitCode !== null)
          throw new Error(`the ${this.#host} exited with ${child.exitCode}: see ${this.logFile}`);
        return (await this.#isReady(logged)) ? true : undefined;
      },
      90_000, // for a busy machine
    );
  }

  /** Sends a signal and waits for the exit. Returns the exit code, or `null` if the signal killed the process. */
  async kill(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || !this.isRunning) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  /** The JSON log lines of all starts so far. */
  async *logLines(): AsyncGenerator<Readonly<Record<string, unknown>>> {
    for await (const line of createInterface({ input: createReadStream(this.logFile) })) {
      if (line.startsWith('{')) yield JSON.parse(line) as Record<string, unknown>;
    }
  }
}

/** The address of a service. */
export interface Service {
  readonly url: string;
}

/** An API process. Its data folder remains after it exits. */
export class ServiceProcess extends HostProcess implements Service {
  readonly url: string;

  constructor(folder: string, port: number, env: Readonly<Record<string, string>> = {}) {
    const url = `http://127.0.0.1:${port}`;
    const ownEnv = { HOME: folder, ...env, PORT: String(port), DATA_DIR: folder };
    super('api', join(folder, 'service.log'), ownEnv, async () => (await fetch(`${url}/healthz`)).ok);
    this.url = url;
  }
}

/** A signed-in client of a service process. */
export class Client {
  readonly #service: Service;
  readonly #credentials = { email: 'trial@example.org', password: 'correct horse battery staple' };
  #token = '';

  constructor(service: Service) {
    this.#service = service;
  }

  async signIn(): Promise<void> {
    const post = (path: string): Promise<Response> =>
      fetch(this.#service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(this.#credentials),
      });
    await post('/v1/auth/register');
    this.#token = ((await (await post('/v1/auth/login')).json()) as { access_token: string }).access_token;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.#service.url + path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.#token}` },
    });
  }

  /** The final status of a document, or `undefined` while it is queued or processing. */
  async endOf(id: string): Promise<'completed' | 'failed' | 'missing' | undefined> {
    const response = await this.fetch(`/v1/documents/${id}`);
    if (response.status === 404) return 'missing';
    if (response.status !== 200) throw new Error(`detail: ${response.status} ${await response.text()}`);
    const { status } = ((await response.json()) as { document: { status: string } }).document;
    return status === 'completed' || status === 'failed' ? status : undefined;
  }

  async upload(content: Uint8Array, filename: string): Promise<string> {
    const form = new FormData();
    form.set('file', new Blob([content as Uint8Array<ArrayBuffer>]), filename);
    const response = await this.fetch('/v1/documents', { method: 'POST', body: form });
    if (response.status !== 200) throw new Error(`upload: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { document: { id: string } }).document.id;
  }
}

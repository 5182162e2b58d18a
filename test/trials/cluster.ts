import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { HostProcess, ServiceProcess, type Service } from './service-process.ts';

/** The servers that a cluster uses. */
export interface ClusterBackends {
  readonly mongodbUrl: string; // with the database in its path
  readonly gcsEmulator?: string; // http://HOST:PORT; default: files in a local folder
}

const SECRET = 'a secret of the trials that every process shares';

/** Creates a new bucket in the emulator. */
const makeBucket = async (emulator: string): Promise<string> => {
  const name = `palimpsest-trial-${randomUUID().slice(0, 13)}`;
  const response = await fetch(`${emulator}/storage/v1/b?project=test`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  if (!response.ok) throw new Error(`bucket: ${response.status} ${await response.text()}`);
  return name;
};

const backendsEnv = async ({ mongodbUrl, gcsEmulator }: ClusterBackends): Promise<Record<string, string>> => ({
  DATABASE_URL: mongodbUrl,
  JWT_SECRET: SECRET,
  WORKER: 'external',
  ...(gcsEmulator === undefined
    ? {}
    : { BLOB_STORE_URL: `gs://${await makeBucket(gcsEmulator)}/trial`, STORAGE_EMULATOR_HOST: gcsEmulator }),
});

/** Creates a worker process without starting it. Its data folder remains after it exits. */
export const workerProcess = (folder: string, number: number, env: Readonly<Record<string, string>>): HostProcess =>
  new HostProcess(
    'worker',
    join(folder, `worker-${number}.log`),
    { HOME: folder, ...env, DATA_DIR: folder },
    (logged) => Promise.resolve(logged().includes('"worker ready"')),
  );

/** An API process and workers on MongoDB and Google Cloud Storage. */
export class Cluster implements Service {
  readonly url: string;
  readonly api: ServiceProcess;
  readonly workers: readonly HostProcess[];

  private constructor(api: ServiceProcess, workers: readonly HostProcess[]) {
    this.api = api;
    this.workers = workers;
    this.url = api.url;
  }

  /** Creates a cluster without starting it. */
  static async prepare(
    folder: string,
    port: number,
    workers: number,
    backends: ClusterBackends,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Cluster> {
    const shared = { ...(await backendsEnv(backends)), ...env };
    const api = new ServiceProcess(folder, port, shared);
    return new Cluster(
      api,
      Array.from({ length: workers }, (_, i) => workerProcess(folder, i + 1, shared)),
    );
  }

  get processes(): readonly HostProcess[] {
    return [this.api, ...this.workers];
  }

  async start(): Promise<void> {
    await Promise.all(this.processes.map((each) => each.start()));
  }

  async stop(signal: NodeJS.Signals): Promise<readonly (number | null)[]> {
    return await Promise.all(this.processes.map((each) => each.kill(signal)));
  }

  /** The log lines of all processes so far. */
  async *logLines(): AsyncGenerator<Readonly<Record<string, unknown>>> {
    for (const each of this.processes) yield* each.logLines();
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workerProcess } from '../trials/cluster.ts';
import { Client, freePort, ServiceProcess, until } from '../trials/service-process.ts';

/** A service process with a signed-in user. Closing it removes its data. */
export interface RunningService {
  readonly service: ServiceProcess;
  readonly client: Client;
  /** Uploads a file and returns its id when the document is completed. */
  uploadAndRead(content: Uint8Array, filename: string): Promise<string>;
  close(): Promise<void>;
}

const READ_WITHIN_MS = 60_000;

/** The environment variables of a service, and the number of separate worker processes (default: inline worker). */
export interface ServiceRules {
  readonly env?: Readonly<Record<string, string>>;
  readonly workers?: number;
}

/** Starts a service on a temporary folder. It is killed when this process exits. */
export const runService = async ({
  env = {},
  workers: workerCount = 0,
}: ServiceRules = {}): Promise<RunningService> => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  const service = new ServiceProcess(folder, await freePort(), {
    LOG_LEVEL: 'warn',
    ...(workerCount > 0 && { WORKER: 'external' }),
    ...env,
  });
  const workers = Array.from({ length: workerCount }, (_, i) => workerProcess(folder, i + 1, env));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const end = (): void => {
    for (const { pid } of [service, ...workers]) {
      try {
        if (pid !== 0) process.kill(pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    remove();
  };
  process.once('exit', end);
  const close = async (): Promise<void> => {
    await Promise.all([service, ...workers].map((each) => each.kill('SIGKILL')));
    process.off('exit', end);
    remove();
  };
  try {
    await service.start();
    await Promise.all(workers.map((worker) => worker.start()));
    const client = new Client(service);
    await client.signIn();
    const uploadAndRead = async (content: Uint8Array, filename: string): Promise<string> => {
      const id = await client.upload(content, filename);
      const status = await until(
        `reading ${filename}`,
        async () => {
          const { document } = (await (await client.fetch(`/v1/documents/${id}`)).json()) as {
            document: { status: string; processed_at: string | null };
          };
          return document.processed_at === null ? undefined : document.status;
        },
        READ_WITHIN_MS,
      );
      if (status !== 'completed') throw new Error(`${filename} is ${status}`);
      return id;
    };
    return { service, client, uploadAndRead, close };
  } catch (error) {
    await close();
    throw error;
  }
};

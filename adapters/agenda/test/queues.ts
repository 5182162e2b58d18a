import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgendaJobQueue, type AgendaJobQueueOptions } from '@palimpsest/agenda';
import { openSqlite, type Sqlite } from '@palimpsest/sqlite';
import type { JobWorker } from '@palimpsest/core';
import type { AgendaBackend } from 'agenda';

/** Short times, so that what takes a minute in use takes a second here. */
export const SHORT: AgendaJobQueueOptions = { lockLifetimeMs: 1_200, heartbeatMs: 300, lookEveryMs: 100, retryAfterErrorMs: 300 };

/** Queues on one database file in a folder of their own. */
export interface Queues {
  readonly file: string;
  /** One more connection to the file, closed by {@link remove}. */
  connect(): Promise<Sqlite>;
  /** A queue on a connection of its own, its backend changed by `change`. */
  queue(change?: (backend: AgendaBackend) => AgendaBackend, options?: AgendaJobQueueOptions): Promise<AgendaJobQueue>;
  /** Has a worker stopped by {@link remove} at the latest. */
  stopLater(worker: JobWorker): JobWorker;
  /** Closes all connections, and leaves the file. */
  closeAll(): Promise<void>;
  remove(): Promise<void>;
}

export const someQueues = async (): Promise<Queues> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-agenda-'));
  const file = join(folder, 'palimpsest.db');
  const handles: Sqlite[] = [];
  const workers: JobWorker[] = [];
  const connect = async () => {
    const handle = await openSqlite({ file, patienceMs: 500 });
    handles.push(handle);
    return handle;
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all(handles.splice(0).map((handle) => handle.close()));
  };
  return {
    file,
    closeAll,
    connect,
    queue: async (change = (backend) => backend, options = SHORT) =>
      new AgendaJobQueue(change((await connect()).agendaBackend()), options),
    stopLater: (worker) => {
      workers.push(worker);
      return worker;
    },
    remove: async () => {
      await Promise.all(workers.map((worker) => worker.stop(0)));
      await closeAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Resolves when `condition` holds; throws if it does not within `ms`. */
export const until = async (condition: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> => {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not so within ${ms} ms: ${condition.toString()}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
};

/** The moment in microseconds, `ms` from now. */
export const inMs = (ms: number): number => (Date.now() + ms) * 1_000;

import { AgendaJobQueue, type AgendaJobQueueOptions } from '@palimpsest/agenda';
import type { JobWorker } from '@palimpsest/core';
import type { AgendaBackend } from 'agenda';
import { openStore, sqlitePlace, type Place, type Store } from './places.ts';

/** Short times, so that what takes a minute in use takes a second here. */
export const SHORT: AgendaJobQueueOptions = {
  lockLifetimeMs: 1_200,
  heartbeatMs: 300,
  lookEveryMs: 100,
  retryAfterErrorMs: 300,
};

/** Queues on one store. */
export interface Queues {
  readonly place: Place;
  /** One more connection to the store, closed by {@link remove}. */
  connect(): Promise<Store>;
  /** A queue on a connection of its own, its backend changed by `change`. */
  queue(change?: (backend: AgendaBackend) => AgendaBackend, options?: AgendaJobQueueOptions): Promise<AgendaJobQueue>;
  /** Has a worker stopped by {@link remove} at the latest. */
  stopLater(worker: JobWorker): JobWorker;
  /** Closes all connections, and leaves the store. */
  closeAll(): Promise<void>;
  remove(): Promise<void>;
}

export const someQueues = async (makePlace: () => Promise<Place> = sqlitePlace): Promise<Queues> => {
  const place = await makePlace();
  const stores: Store[] = [];
  const workers: JobWorker[] = [];
  const connect = async () => {
    const store = await openStore(place.kind, place.location);
    stores.push(store);
    return store;
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  };
  return {
    place,
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
      await place.remove();
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

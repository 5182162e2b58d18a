import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '@palimpsest/core';
import { FallbackRateCounters, type FallbackOptions, type OpenRateCounters } from './fallback-rate-counters.ts';
import { SqliteRateCounters, type SqliteClient } from './sqlite-rate-counters.ts';

const CLEANUP_EVERY_MS = 60_000;
const CLEANUP_BATCH = 500; // windows; other processes wait only some milliseconds for the lock

/** The options of {@link openSqliteRateCounters}. */
export interface SqliteRateCountersOptions extends FallbackOptions {
  readonly client: SqliteClient;
  readonly clock: Clock; // by which windows end
}

/**
 * Opens rate counters in an SQLite file, shared by all processes that use it. Creates the table, and throws if that
 * fails. Later no call throws: while the file cannot be used, this process counts in its own memory. Once a minute,
 * ended windows are deleted.
 */
export const openSqliteRateCounters = async ({
  client,
  clock,
  ...options
}: SqliteRateCountersOptions): Promise<OpenRateCounters> => {
  const store = new SqliteRateCounters(client, clock);
  store.createTable();
  const rateCounters = new FallbackRateCounters(store, clock, options);
  const cleanUp = async (): Promise<void> => {
    for (;;) {
      const deleted = await rateCounters.tryStore(async () => store.deleteEnded(CLEANUP_BATCH));
      if (deleted?.result !== CLEANUP_BATCH) return;
      await yieldToEventLoop();
    }
  };
  const timer = setInterval(() => void cleanUp(), CLEANUP_EVERY_MS);
  timer.unref();
  return {
    rateCounters,
    close: () => {
      clearInterval(timer);
      rateCounters.close();
    },
  };
};

import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Clock, RateCounters } from '@palimpsest/core';
import { oncePerMinute } from './once-per-minute.ts';
import { RateLimiterFlexibleCounters } from './rate-limiter-flexible-counters.ts';
import { RestingClient } from './resting-client.ts';
import { SqliteLimiter, type SqliteClient } from './sqlite-limiter.ts';

const MINUTE_MS = 60_000;
const REST_MS = 5_000;
const SWEEP_BATCH = 500; // some milliseconds of work, for which hits of other processes wait

/** What the counters in an SQLite file are made of. */
export interface SqliteRateCountersOptions {
  readonly client: SqliteClient;
  /** By which the ends of windows are told; the wall clock if there is none. */
  readonly clock?: Clock;
  /** For how long a file that failed is left alone, so that not every call waits for it again; 5 s if nothing is said. */
  readonly restMs?: number;
  /** Told that the file cannot be used, at most once a minute. Must not throw. */
  readonly onFault?: (error: unknown) => void;
}

/** Counters that are open. */
export interface SqliteRateCounters {
  readonly rateCounters: RateCounters;
  /** Ends the clearing away of ended windows. The client is its owner's to close, afterwards. Safe to repeat. */
  close(): void;
}

const openLimiter = (client: SqliteClient, onFault: (error: unknown) => void): Promise<SqliteLimiter> =>
  new Promise((resolve, reject) => {
    const limiter: SqliteLimiter = new SqliteLimiter(client, onFault, (error) => {
      if (error) reject(error);
      else resolve(limiter);
    });
  });

/**
 * Rate counters in an SQLite file, for all processes that have it open. Makes the table before it resolves; what goes
 * wrong with that is thrown. While the file cannot be used later on, no call throws: `onFault` is told, and this process
 * counts in its memory, from 0 and for itself alone, until the file can be used again. Windows that have ended are
 * cleared away once a minute.
 */
export const openSqliteRateCounters = async ({
  client,
  clock,
  restMs = REST_MS,
  onFault = () => {},
}: SqliteRateCountersOptions): Promise<SqliteRateCounters> => {
  const report = oncePerMinute(onFault);
  const limiter = await openLimiter(new RestingClient(client, restMs), report);
  limiter.createIndex();
  const closing = new AbortController();
  const sweep = async (): Promise<void> => {
    try {
      while (!closing.signal.aborted && limiter.removeEnded(SWEEP_BATCH) === SWEEP_BATCH) await othersFirst();
    } catch (error) {
      report(error);
    }
  };
  const timer = setInterval(() => void sweep(), MINUTE_MS);
  timer.unref();
  return {
    rateCounters: new RateLimiterFlexibleCounters(limiter, clock),
    close: () => {
      closing.abort();
      clearInterval(timer);
    },
  };
};

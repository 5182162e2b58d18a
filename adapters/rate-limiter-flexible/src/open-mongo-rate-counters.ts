import type { Clock, RateCounters } from '@palimpsest/core';
import { MongoLimiter, type MongoLimiterClient } from './mongo-limiter.ts';
import { oncePerMinute } from './once-per-minute.ts';
import { RateLimiterFlexibleCounters } from './rate-limiter-flexible-counters.ts';
import { RestingMongoClient } from './resting-mongo-client.ts';

const REST_MS = 5_000;
const WAIT_MS = 3_000;

/** What the counters in a MongoDB database are made of. */
export interface MongoRateCountersOptions {
  /** The database: a `Db` of the driver `mongodb`. */
  readonly client: MongoLimiterClient;
  /** By which the ends of windows are told; the wall clock if there is none. */
  readonly clock?: Clock;
  /** For how long an answer is waited for; 3 s if nothing is said. */
  readonly waitMs?: number;
  /** For how long a database that failed is left alone, so that not every call waits for it again; 5 s if nothing is said. */
  readonly restMs?: number;
  /** Told that the database cannot be used, at most once a minute. Must not throw. */
  readonly onFault?: (error: unknown) => void;
}

/** Counters that are open. */
export interface MongoRateCounters {
  readonly rateCounters: RateCounters;
  /** Leaves the database alone: what is counted from now on is counted in memory. The client is its owner's to close, afterwards. Safe to repeat. */
  close(): void;
}

/**
 * Rate counters in a MongoDB database, for all processes that use it. Makes the indexes before it resolves; what goes wrong
 * with that is thrown. While the database cannot be used later on, or does not answer within `waitMs`, no call throws:
 * `onFault` is told, and this process counts in its memory, from 0 and for itself alone, until it can be used again. The
 * server clears windows away that have ended.
 */
export const openMongoRateCounters = async ({
  client,
  clock,
  waitMs = WAIT_MS,
  restMs = REST_MS,
  onFault = () => {},
}: MongoRateCountersOptions): Promise<MongoRateCounters> => {
  const resting = new RestingMongoClient(client, { waitMs, restMs });
  const limiter = new MongoLimiter(resting, oncePerMinute(onFault));
  await limiter.createIndexes();
  return {
    rateCounters: new RateLimiterFlexibleCounters(limiter, clock),
    close: () => resting.close(),
  };
};

import type { Clock } from '@palimpsest/core';
import { FallbackRateCounters, type FallbackOptions, type OpenRateCounters } from './fallback-rate-counters.ts';
import { MongoRateCounters, type MongoDatabase } from './mongo-rate-counters.ts';

/** The options of {@link openMongoRateCounters}. */
export interface MongoRateCountersOptions extends FallbackOptions {
  readonly client: MongoDatabase; // a `Db` of the driver `mongodb`
  readonly clock: Clock; // by which windows end
}

/**
 * Opens rate counters in a MongoDB database, shared by all processes that use it. Creates the indexes, and throws if
 * that fails. Later no call throws: while the database is down, this process counts in its own memory.
 */
export const openMongoRateCounters = async ({
  client,
  clock,
  ...options
}: MongoRateCountersOptions): Promise<OpenRateCounters> => {
  const store = new MongoRateCounters(client, clock);
  await store.createIndexes();
  const rateCounters = new FallbackRateCounters(store, clock, options);
  return { rateCounters, close: () => rateCounters.close() };
};

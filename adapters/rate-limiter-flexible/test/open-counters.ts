import type { RateCounters } from '@palimpsest/core';
import { openMongo } from '@palimpsest/mongodb';
import { openMongoRateCounters } from '@palimpsest/rate-limiter-flexible';
import type { DatabaseLocation } from '../../../test/processes/database.ts';
import { openInFile } from './limiter-folder.ts';
import { wallClock } from './wall-clock.ts';

/** Counters on their own connection. */
export interface OpenCounters {
  readonly rateCounters: RateCounters;
  readonly close: () => Promise<void>;
}

/** Opens counters in an SQLite file or in a MongoDB database. */
export const openCounters = async (
  { kind, location }: DatabaseLocation,
  onFault: (error: unknown) => void = () => {},
): Promise<OpenCounters> => {
  // A locked file or a slow server must not make the counters fall back to memory on a busy machine.
  const options = { onFault, timeoutMs: 60_000 };
  if (kind === 'sqlite') {
    const { rateCounters, close, database } = await openInFile(location, options);
    database.prepare('PRAGMA busy_timeout = 60000').get();
    return {
      rateCounters,
      close: async () => {
        close();
        database.close();
      },
    };
  }
  const mongo = await openMongo({ url: location });
  const counters = await openMongoRateCounters({ client: mongo.limiterClient, clock: wallClock, ...options });
  return {
    rateCounters: counters.rateCounters,
    close: async () => {
      counters.close();
      await mongo.close();
    },
  };
};

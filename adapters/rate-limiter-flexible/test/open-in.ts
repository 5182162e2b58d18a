import type { RateCounters } from '@palimpsest/core';
import { openMongo } from '@palimpsest/mongodb';
import { openMongoRateCounters } from '@palimpsest/rate-limiter-flexible';
import { openInFile } from './limiter-folder.ts';

/** Counters with a connection of their own. */
export interface OpenCounters {
  readonly rateCounters: RateCounters;
  readonly close: () => Promise<void>;
}

/** Opens counters in a file or, if `kind` is `mongodb`, in the database with this URL. */
export const openIn = async (
  kind: string,
  location: string,
  onFault: (error: unknown) => void = () => {},
): Promise<OpenCounters> => {
  // A locked file or a slow server must not make the counters fall back to memory on a busy machine.
  const options = { onFault, timeoutMs: 60_000 };
  if (kind !== 'mongodb') {
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
  const counters = await openMongoRateCounters({ client: mongo.limiterClient, ...options });
  return {
    rateCounters: counters.rateCounters,
    close: async () => {
      counters.close();
      await mongo.close();
    },
  };
};

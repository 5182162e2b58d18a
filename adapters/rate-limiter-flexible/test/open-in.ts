import type { RateCounters } from '@palimpsest/core';
import { openMongo } from '@palimpsest/mongodb';
import { openMongoRateCounters } from '@palimpsest/rate-limiter-flexible';
import { openInFile } from './limiter-folder.ts';

/** Counters with a connection of their own. */
export interface OpenCounters {
  readonly rateCounters: RateCounters;
  readonly close: () => Promise<void>;
}

/** Counters in a file, or, if `kind` is `mongodb`, in the database with this URL. */
export const openIn = async (
  kind: string,
  location: string,
  onFault: (error: unknown) => void = () => {},
): Promise<OpenCounters> => {
  if (kind !== 'mongodb') {
    const { rateCounters } = await openInFile(location, { onFault });
    // Nothing is closed: what still clears away must not keep the process alive.
    return { rateCounters, close: async () => {} };
  }
  const mongo = await openMongo({ url: location });
  const counters = await openMongoRateCounters({ client: mongo.limiterClient, onFault });
  return {
    rateCounters: counters.rateCounters,
    close: async () => {
      counters.close();
      await mongo.close();
    },
  };
};

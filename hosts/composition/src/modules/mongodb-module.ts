import { isAppError } from '@palimpsest/core';
import { ConfigError, type MongodbConfig } from '../config.ts';
import { withoutSecrets } from '../without-secrets.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

// The errors that the driver throws for an invalid connection string.
const URL_FAULTS = new Set([
  'MongoParseError',
  'MongoInvalidArgumentError',
  'MongoMissingCredentialsError',
  'MongoAPIError',
  'MongoRuntimeError',
  'URIError',
]);

/**
 * Translates an error about the connection string to a `ConfigError` that names DATABASE_URL. Returns other errors
 * unchanged.
 */
const asConfigError = (error: unknown, url: string): unknown => {
  if (!(error instanceof Error) || isAppError(error) || !URL_FAULTS.has(error.name)) return error;
  const why = withoutSecrets(error.message, url);
  return new ConfigError([
    `DATABASE_URL is not usable: ${why ?? 'the MongoDB driver cannot parse it. Check that each special character of the user name and the password is percent-encoded (%XX).'}`,
  ]);
};

/** Keeps documents, accounts, rate counters and jobs in one MongoDB database. */
export const openMongodbModule =
  ({ url }: MongodbConfig): OpenModule =>
  async ({ log, clock, onClose }) => {
    const [{ openMongo }, { AgendaJobQueue }, { openMongoRateCounters }] = await Promise.all([
      import('@palimpsest/mongodb'),
      import('@palimpsest/agenda'),
      import('@palimpsest/rate-limiter-flexible'),
    ]);
    const mongo = await openMongo({ url }).catch((error: unknown) => {
      throw asConfigError(error, url);
    });
    onClose(() => mongo.close());
    const counters = await openMongoRateCounters({
      client: mongo.limiterClient,
      clock,
      onFault: (error) =>
        log.error({ err: error }, 'the rate-limit store is down: this process counts in its own memory'),
    });
    onClose(() => counters.close());
    log.info('documents, accounts, rate limits and jobs are stored in MongoDB');
    const { documents, pages, revisions, searchIndex, accounts, accountTokens, sessions, idempotency, mailLedger } =
      mongo;
    const jobs = new AgendaJobQueue(mongo.jobStore, { clock });
    const { rateCounters } = counters;
    return portsModule({
      documents,
      pages,
      revisions,
      searchIndex,
      accounts,
      accountTokens,
      sessions,
      idempotency,
      mailLedger,
      jobs,
      rateCounters,
    });
  };

import { isAppError } from '@palimpsest/core';
import { ConfigError, type MongodbConfig } from '../config.ts';
import { withoutUserInfo } from '../without-user-info.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

// What the driver throws for an address or an option that it cannot read.
const URL_FAULTS = new Set([
  'MongoParseError',
  'MongoInvalidArgumentError',
  'MongoMissingCredentialsError',
  'MongoAPIError',
  'MongoRuntimeError',
  'URIError',
]);

/** A fault of the address as one of the variable that it came from; any other as it is. */
const blamed = (error: unknown, url: string): unknown => {
  if (!(error instanceof Error) || isAppError(error) || !URL_FAULTS.has(error.name)) return error;
  const why = withoutUserInfo(error.message, url);
  return new ConfigError([
    `DATABASE_URL is not usable: ${why ?? 'the MongoDB driver cannot read it. Is each special character of user and password written as %XX?'}`,
  ]);
};

/** Documents, accounts, the rate counters and the job queue in one MongoDB database. */
export const openMongodbModule =
  ({ url }: MongodbConfig): OpenModule =>
  async ({ log, clock, onClose }) => {
    const [{ openMongo }, { AgendaJobQueue }, { openMongoRateCounters }] = await Promise.all([
      import('@palimpsest/mongodb'),
      import('@palimpsest/agenda'),
      import('@palimpsest/rate-limiter-flexible'),
    ]);
    const mongo = await openMongo({ url }).catch((error: unknown) => {
      throw blamed(error, url);
    });
    onClose(() => mongo.close());
    const backend = mongo.agendaBackend();
    onClose(() => backend.disconnect());
    const counters = await openMongoRateCounters({
      client: mongo.limiterClient,
      clock,
      onFault: (error) =>
        log.error({ err: error }, 'the store of the rate limits is down; each process counts for itself'),
    });
    onClose(() => counters.close());
    log.info('documents, accounts, rate limits and jobs are kept in MongoDB');
    const { documents, pages, revisions, searchIndex, accounts, accountTokens, sessions, idempotency, mailLedger } =
      mongo;
    const jobs = new AgendaJobQueue(backend, { clock });
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

import type { MongodbConfig } from '../config.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

/** Documents, accounts, the rate counters and the job queue in one MongoDB database. */
export const openMongodbModule = ({ url }: MongodbConfig): OpenModule => async ({ log, clock, onClose }) => {
  const [{ openMongo }, { AgendaJobQueue }, { openMongoRateCounters }] = await Promise.all([
    import('@palimpsest/mongodb'),
    import('@palimpsest/agenda'),
    import('@palimpsest/rate-limiter-flexible'),
  ]);
  const mongo = await openMongo({ url });
  onClose(() => mongo.close());
  const backend = mongo.agendaBackend();
  onClose(() => backend.disconnect());
  const counters = await openMongoRateCounters({
    client: mongo.limiterClient,
    clock,
    onFault: (error) => log.error({ err: error }, 'the store of the rate limits is down; each process counts for itself'),
  });
  onClose(() => counters.close());
  log.info('documents, accounts, rate limits and jobs are kept in MongoDB');
  const { documents, pages, revisions, searchIndex, accounts, accountTokens, sessions, idempotency, mailLedger } = mongo;
  const jobs = new AgendaJobQueue(backend, { clock });
  const { rateCounters } = counters;
  return portsModule({ documents, pages, revisions, searchIndex, accounts, accountTokens, sessions, idempotency, mailLedger, jobs, rateCounters });
};

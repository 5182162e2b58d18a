import { ContainerModule } from 'inversify';
import { T } from '../port-symbols.ts';
import type { OpenModule } from './opening.ts';

/** Rate counters in an SQLite file of their own, so that counting never waits for the database. */
export const openRateLimitModule: OpenModule = async ({ config, log, clock, onClose }) => {
  const [{ openLimiterDatabase }, { openSqliteRateCounters }] = await Promise.all([
    import('@palimpsest/sqlite'),
    import('@palimpsest/rate-limiter-flexible'),
  ]);
  const database = await openLimiterDatabase({ file: config.limitsFile });
  onClose(() => database.close());
  const counters = await openSqliteRateCounters({
    client: database,
    clock,
    onFault: (error) => log.error({ err: error }, 'the store of the rate limits is down; each process counts for itself'),
  });
  onClose(() => counters.close());
  return new ContainerModule(({ bind }) => {
    bind(T.rateCounters).toConstantValue(counters.rateCounters);
  });
};

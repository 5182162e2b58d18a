import type { SqliteConfig } from '../config.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

/** Rate counters in an SQLite file of their own, so that counting never waits for the database. */
export const openSqliteRateLimitModule =
  ({ limitsFile }: SqliteConfig): OpenModule =>
  async ({ log, clock, onClose }) => {
    const [{ openLimiterDatabase }, { openSqliteRateCounters }] = await Promise.all([
      import('@palimpsest/sqlite'),
      import('@palimpsest/rate-limiter-flexible'),
    ]);
    const database = await openLimiterDatabase({ file: limitsFile });
    onClose(() => database.close());
    const counters = await openSqliteRateCounters({
      client: database,
      clock,
      onFault: (error) =>
        log.error({ err: error }, 'the store of the rate limits is down; each process counts for itself'),
    });
    onClose(() => counters.close());
    return portsModule({ rateCounters: counters.rateCounters });
  };

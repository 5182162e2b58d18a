import type { SqliteConfig } from '../config.ts';
import type { OpenModule } from './opening.ts';
import { portsModule } from './ports-module.ts';

/** Keeps the rate counters in a separate SQLite file, so that counting never waits for writes to the database. */
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
        log.error({ err: error }, 'the rate-limit store is down: this process counts in its own memory'),
    });
    onClose(() => counters.close());
    return portsModule({ rateCounters: counters.rateCounters });
  };

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteRateCounters, type OpenRateCounters } from '@palimpsest/rate-limiter-flexible';
import type { SqliteRateCountersOptions } from '@palimpsest/rate-limiter-flexible';
import { openLimiterDatabase, type LimiterDatabase } from '@palimpsest/sqlite';
import { wallClock } from './wall-clock.ts';

/** Counters in a file, with their connection. */
export interface CountersInFile extends OpenRateCounters {
  readonly database: LimiterDatabase;
}

export const openInFile = async (
  file: string,
  options: Partial<Omit<SqliteRateCountersOptions, 'client'>> = {},
): Promise<CountersInFile> => {
  const database = await openLimiterDatabase({ file });
  return { database, ...(await openSqliteRateCounters({ client: database, clock: wallClock, ...options })) };
};

/** A temporary folder with one file of counters, which a test can open several times. */
export interface LimiterFolder {
  readonly file: string;
  open(options?: Partial<Omit<SqliteRateCountersOptions, 'client'>>): Promise<CountersInFile>;
  closeAll(): void;
  remove(): Promise<void>;
}

export const limiterFolder = async (): Promise<LimiterFolder> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-counters-'));
  const file = join(folder, 'data', 'counters.db');
  const opened: CountersInFile[] = [];
  const closeAll = () => {
    for (const { close, database } of opened.splice(0)) {
      close();
      database.close();
    }
  };
  return {
    file,
    open: async (options) => {
      const counters = await openInFile(file, options);
      opened.push(counters);
      return counters;
    },
    closeAll,
    remove: async () => {
      closeAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

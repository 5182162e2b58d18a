import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RateCounters } from '@palimpsest/core';
import {
  openSqliteRateCounters,
  type SqliteClient,
  type SqliteRateCountersOptions,
} from '@palimpsest/rate-limiter-flexible';
import { openLimiterDatabase, type LimiterDatabase } from '@palimpsest/sqlite';

/** Counters in a file, with the connection that they use. */
export interface CountersInFile {
  readonly rateCounters: RateCounters;
  readonly database: LimiterDatabase;
  /** Closes the counters and leaves the connection. */
  readonly stop: () => void;
  readonly close: () => void;
}

export const openInFile = async (
  file: string,
  {
    through = (client) => client,
    ...options
  }: { through?: (client: SqliteClient) => SqliteClient } & Omit<SqliteRateCountersOptions, 'client'> = {},
): Promise<CountersInFile> => {
  const database = await openLimiterDatabase({ file });
  const counters = await openSqliteRateCounters({ client: through(database), ...options });
  return {
    rateCounters: counters.rateCounters,
    database,
    stop: () => counters.close(),
    close: () => {
      counters.close();
      database.close();
    },
  };
};

/** A folder of its own for one file of counters, which any number of handles may be opened on. */
export interface LimiterFolder {
  readonly file: string;
  open(options?: Parameters<typeof openInFile>[1]): Promise<CountersInFile>;
  closeAll(): void;
  remove(): Promise<void>;
}

export const limiterFolder = async (): Promise<LimiterFolder> => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-counters-'));
  const file = join(folder, 'data', 'counters.db');
  const handles: CountersInFile[] = [];
  const closeAll = () => {
    for (const handle of handles.splice(0)) handle.close();
  };
  return {
    file,
    open: async (options) => {
      const handle = await openInFile(file, options);
      handles.push(handle);
      return handle;
    },
    closeAll,
    remove: async () => {
      closeAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

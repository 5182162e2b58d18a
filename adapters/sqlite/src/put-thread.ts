import { parentPort, workerData } from 'node:worker_threads';
import { reopenDatabase } from './database.ts';
import type { PutTask } from './long-puts.ts';
import { SqliteSearchIndex } from './sqlite-search-index.ts';

// What a long text changes fits in memory until it is committed, so that the file is locked for less long.
const CACHE_KIB = 64 * 1024;

const { file, options, entry }: PutTask = workerData;
const database = await reopenDatabase(file, options);
try {
  database.script(`PRAGMA cache_size = -${CACHE_KIB}`);
  await new SqliteSearchIndex(database).put(entry);
} finally {
  database.close();
}
parentPort?.postMessage('stored', []);

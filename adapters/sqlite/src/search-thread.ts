import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { reopenDatabase } from './database.ts';
import type { SearchTask, SearchThreadOptions, SearchThreadReport } from './searching-thread.ts';
import { SqliteSearchIndex } from './sqlite-search-index.ts';

const report = (message: SearchThreadReport): void => parentPort?.postMessage(message, []);

const { file, options }: SearchThreadOptions = workerData;
const database = await reopenDatabase(file, options);
const index = new SqliteSearchIndex(database);
if (parentPort !== null) {
  // What a search throws ends the thread.
  for await (const [{ ownerId, query, page }] of on(parentPort, 'message') as AsyncIterable<readonly [SearchTask]>) {
    report({ kind: 'begun' });
    report({ kind: 'found', found: await index.search(ownerId, query, page) });
  }
}

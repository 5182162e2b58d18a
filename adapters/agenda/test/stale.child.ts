// Runs one job. The job waits until the parent calls `proceed`, and ends with the outcome that the last argument names.
// Prints the errors that are reported.
import { AgendaJobQueue } from '@palimpsest/agenda';
import { databaseOfArguments, openStores } from '../../../test/processes/database.ts';
import { waitForParent } from '../../../test/processes/wait-for-parent.ts';

const [database, outcome] = databaseOfArguments();
const store = await openStores(database);
const queue = new AgendaJobQueue(store.jobStore, { heartbeatMs: 300, lockLifetimeMs: 1_200 });
const ended = Promise.withResolvers<void>();
const worker = await queue.work(
  {
    job: {
      concurrency: 1,
      run: async () => {
        await waitForParent();
        ended.resolve();
        return outcome === 'done' ? 'done' : { retryAt: Date.now() * 1_000 };
      },
    },
  },
  (error) => console.log(error instanceof Error ? error.message : String(error)),
);
await ended.promise;
await worker.stop(5_000);
await store.close();

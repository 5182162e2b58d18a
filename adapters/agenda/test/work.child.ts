// Runs jobs of the kinds `count` and `tick`, and prints the number or the kind of each job when the job starts. A job of the
// kind `hang` never ends. The last argument is the lifetime of the locks. Stops when the parent calls `proceed`.
import { AgendaJobQueue } from '@palimpsest/agenda';
import { databaseOfArguments, openStores } from '../../../test/processes/database.ts';
import { waitForParent } from '../../../test/processes/wait-for-parent.ts';

const [database, lockLifetimeMs] = databaseOfArguments();
const store = await openStores(database);
const queue = new AgendaJobQueue(store.jobStore, { heartbeatMs: 300, lockLifetimeMs: Number(lockLifetimeMs) });
const worker = await queue.work(
  {
    count: {
      concurrency: 3,
      run: async ({ payload }) => {
        console.log(String(payload['number']));
        // The other processes lock jobs meanwhile.
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
        return 'done';
      },
    },
    tick: {
      concurrency: 1,
      everyMs: 3_600_000,
      run: async () => {
        console.log('tick');
        return 'done';
      },
    },
    hang: {
      concurrency: 1,
      run: () => {
        console.log('hanging');
        return new Promise(() => {});
      },
    },
  },
  (error) => {
    throw error;
  },
);
await waitForParent();
await worker.stop(1_000);
await store.close();

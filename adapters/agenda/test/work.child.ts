// Works on jobs of the kinds `count` and `tick`, and prints the number or the kind of each when it starts; `hang` never
// ends. Stops when it gets input. Its locks last as long as its last argument says.
import { AgendaJobQueue } from '@palimpsest/agenda';
import { openStore } from './job-stores.ts';
import { toldToGo } from './told-to-go.ts';

const [kind, location = '', lockLifetimeMs] = process.argv.slice(2);
const store = await openStore(kind === 'mongodb' ? kind : 'sqlite', location);
const queue = new AgendaJobQueue(store.jobStore, { heartbeatMs: 300, lockLifetimeMs: Number(lockLifetimeMs) });
const worker = await queue.work(
  {
    count: {
      concurrency: 3,
      run: async ({ payload }) => {
        console.log(String(payload['number']));
        // So that the other processes get jobs as well.
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
await toldToGo();
await worker.stop(1_000);
await store.close();

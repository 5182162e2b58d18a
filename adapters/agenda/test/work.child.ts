// Works on jobs of the kind `count` and prints each one's number as it begins; `hang` never ends. Stops when told to go.
// Its locks last as long as it is told to.
import { AgendaJobQueue } from '@palimpsest/agenda';
import { openStore } from './places.ts';
import { SHORT } from './queues.ts';
import { toldToGo } from './told-to-go.ts';

const [kind, location = '', lockLifetimeMs] = process.argv.slice(2);
const store = await openStore(kind === 'mongodb' ? kind : 'sqlite', location);
const queue = new AgendaJobQueue(store.agendaBackend(), { ...SHORT, lockLifetimeMs: Number(lockLifetimeMs) });
const worker = await queue.work(
  {
    count: {
      concurrency: 3,
      run: async ({ payload }) => {
        console.log(String(payload['number']));
        // Longer than no time, so that the other process gets jobs as well.
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
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

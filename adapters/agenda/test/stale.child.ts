// Works on one job, prints its own number as it begins, ends it when told to go, as it was told to, and prints what was met.
import { once } from 'node:events';
import { AgendaJobQueue } from '@palimpsest/agenda';
import { openStore } from './places.ts';
import { SHORT } from './queues.ts';

const [kind, location = '', outcome] = process.argv.slice(2);
const store = await openStore(kind === 'mongodb' ? kind : 'sqlite', location);
const queue = new AgendaJobQueue(store.agendaBackend(), SHORT);
const ended = Promise.withResolvers<void>();
const worker = await queue.work(
  {
    job: {
      concurrency: 1,
      run: async () => {
        console.log(process.pid);
        await once(process.stdin, 'data');
        process.stdin.destroy();
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

// Runs one job, prints its process id when the job starts, and ends the job with the outcome of its last argument when it
// gets input. Prints the errors that are reported.
import { once } from 'node:events';
import { AgendaJobQueue } from '@palimpsest/agenda';
import { openStore } from './job-stores.ts';

const [kind, location = '', outcome] = process.argv.slice(2);
const store = await openStore(kind === 'mongodb' ? kind : 'sqlite', location);
const queue = new AgendaJobQueue(store.jobStore, { heartbeatMs: 300, lockLifetimeMs: 1_200 });
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

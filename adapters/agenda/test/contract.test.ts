import { describeJobQueue, NO_CONNECTION } from '@palimpsest/contract-tests';
import { sqliteJobs } from './job-stores.ts';
import { timedJobQueues } from './timed-job-queues.ts';

describeJobQueue(
  'AgendaJobQueue on SQLite',
  async () => {
    const database = await sqliteJobs();
    const { open, kill, restoreClock } = timedJobQueues(() => database.connect());
    return {
      subject: await open(),
      openSecond: open,
      reopen: async () => {
        await database.closeAll();
        return open();
      },
      kill,
      close: async () => {
        restoreClock();
        await database.remove();
      },
    };
  },
  { faults: NO_CONNECTION },
);

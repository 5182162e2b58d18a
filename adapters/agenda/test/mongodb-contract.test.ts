import { describeJobQueue } from '@palimpsest/contract-tests';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { timedJobQueues } from './timed-job-queues.ts';

await describeOnMongo('A JobQueue on MongoDB', (server) => {
  const database = databaseForSuite(server);

  describeJobQueue('AgendaJobQueue', async () => {
    const handles = database();
    const { open, kill, restoreClock } = timedJobQueues(async () => (await handles.open()).jobStore);
    return {
      subject: await open(),
      openSecond: open,
      reopen: async () => {
        await handles.closeAll();
        return open();
      },
      kill,
      faults: handles.faults,
      close: async () => {
        restoreClock();
        await handles.closeAll();
      },
    };
  });
});

import { AgendaJobQueue } from '@palimpsest/agenda';
import { describeJobQueue, type TimedJobQueue } from '@palimpsest/contract-tests';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { stopClock } from '../../../test/stopped-clock.ts';

await describeOnMongo('A JobQueue on MongoDB', (server) => {
  const database = databaseForSuite(server);

  describeJobQueue('AgendaJobQueue', async () => {
    const handles = database();
    const clock = stopClock();
    const open = async (): Promise<TimedJobQueue> => ({
      jobs: new AgendaJobQueue((await handles.open()).jobStore, { pollMs: 20, heartbeatMs: 50 }),
      now: clock.now,
      advance: clock.advance,
    });
    return {
      subject: await open(),
      openSecond: open,
      reopen: async () => {
        await handles.closeAll();
        return open();
      },
      faults: handles.faults,
      close: async () => {
        clock.restore();
        await handles.closeAll();
      },
    };
  });
});

import { AgendaJobQueue } from '@palimpsest/agenda';
import { describeJobQueue, NO_CONNECTION, type TimedJobQueue } from '@palimpsest/contract-tests';
import { sqliteJobs } from './job-stores.ts';
import { stopClock } from '../../../test/stopped-clock.ts';

describeJobQueue(
  'AgendaJobQueue on SQLite',
  async () => {
    const database = await sqliteJobs();
    const clock = stopClock();
    const open = async (): Promise<TimedJobQueue> => ({
      jobs: new AgendaJobQueue(await database.connect(), { pollMs: 20, heartbeatMs: 50 }),
      now: clock.now,
      advance: clock.advance,
    });
    return {
      subject: await open(),
      openSecond: open,
      reopen: async () => {
        await database.closeAll();
        return open();
      },
      close: async () => {
        clock.restore();
        await database.remove();
      },
    };
  },
  { faults: NO_CONNECTION },
);

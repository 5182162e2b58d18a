import { AgendaJobQueue } from '@palimpsest/agenda';
import { describeJobQueue } from '@palimpsest/contract-tests';
import { databaseForSuite } from '../../mongodb/test/database-on-server.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { SHORT } from './queues.ts';

await describeOnMongo('A JobQueue on MongoDB', (server) => {
  const database = databaseForSuite(server);

  describeJobQueue('AgendaJobQueue', async () => {
    const handles = database();
    const queue = async () => new AgendaJobQueue((await handles.open()).agendaBackend(), SHORT);
    return {
      subject: await queue(),
      openSecond: queue,
      reopen: async () => {
        await handles.closeAll();
        return queue();
      },
      faults: handles.faults,
      close: () => handles.closeAll(),
    };
  });
});

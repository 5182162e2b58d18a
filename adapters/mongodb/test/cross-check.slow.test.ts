import { describeRepositoriesAgree, memoryContestant, type ContestantOf } from '../../../test/agreement.ts';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseForSuite } from './database-on-server.ts';

await describeOnMongo('The MongoDB repositories compared with the in-memory repositories', (server) => {
  const database = databaseForSuite(server);

  const mongo: ContestantOf = (part) => ({
    name: 'MongoDB',
    open: async () => {
      const own = database();
      await own.clear();
      return { subject: part(await own.open()), close: () => own.closeAll() };
    },
  });

  describeRepositoriesAgree(memoryContestant, mongo, [20_261_121]);
});

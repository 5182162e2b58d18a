import { describeSearchIndex } from '@palimpsest/contract-tests';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { searchDatabaseForSuite } from './search-database.ts';

await describeOnMongo('MongoDB', (server) => {
  const database = searchDatabaseForSuite(server);

  describeSearchIndex('MongoSearchIndex', async () => {
    const { open, closeAll, faults } = database();
    return {
      subject: await open(),
      openSecond: () => open(),
      reopen: async () => {
        await closeAll();
        return open();
      },
      faults,
      close: closeAll,
    };
  });
});

import { describeLongSearchIndex } from '@palimpsest/contract-tests';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { searchDatabaseForSuite } from './search-database.ts';

await describeOnMongo('MongoDB', (server) => {
  const database = searchDatabaseForSuite(server);

  describeLongSearchIndex('MongoSearchIndex', async () => {
    const { open, closeAll } = database();
    return { subject: await open(), close: closeAll };
  });
});

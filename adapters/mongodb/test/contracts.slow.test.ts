import { describeLongSessionRepository } from '@palimpsest/contract-tests';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseForSuite } from './database-on-server.ts';

await describeOnMongo('MongoDB', (server) => {
  const database = databaseForSuite(server);

  describeLongSessionRepository('MongoSessionRepository', async () => {
    const { open, closeAll } = database();
    return { subject: (await open()).sessions, close: closeAll };
  });
});

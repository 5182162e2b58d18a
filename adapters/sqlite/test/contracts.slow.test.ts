import { describeLongSessionRepository } from '@palimpsest/contract-tests';
import { databaseFolder } from './database-folder.ts';

describeLongSessionRepository('SqliteSessionRepository', async () => {
  const database = await databaseFolder();
  return { subject: (await database.open()).sessions, close: () => database.remove() };
});

import { describeLongSearchIndex, describeLongSessionRepository } from '@palimpsest/contract-tests';
import { databaseFolder } from './database-folder.ts';

describeLongSessionRepository('SqliteSessionRepository', async () => {
  const database = await databaseFolder();
  return { subject: (await database.open()).sessions, close: () => database.remove() };
});

describeLongSearchIndex('SqliteSearchIndex', async () => {
  const database = await databaseFolder();
  return { subject: (await database.open()).searchIndex, close: () => database.remove() };
});

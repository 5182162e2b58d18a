import {
  NO_CONNECTION,
  describeAccountRepository,
  describeAccountTokenRepository,
  describeDocumentRepository,
  describeIdempotencyRepository,
  describeMailLedger,
  describePageRepository,
  describeRevisionRepository,
  describeSearchIndex,
  describeSessionRepository,
  type Open,
} from '@palimpsest/contract-tests';
import type { Sqlite } from '@palimpsest/sqlite';
import { databaseFolder } from '../database-folder.ts';

const opening =
  <T>(part: (handle: Sqlite) => T): Open<T> =>
  async () => {
    const database = await databaseFolder();
    return {
      subject: part(await database.open()),
      openSecond: async () => part(await database.open()),
      reopen: async () => {
        await database.closeAll();
        return part(await database.open());
      },
      close: () => database.remove(),
    };
  };

const without = { faults: NO_CONNECTION };

describeDocumentRepository(
  'SqliteDocumentRepository',
  opening((handle) => handle.documents),
  without,
);
describePageRepository(
  'SqlitePageRepository',
  opening((handle) => handle.pages),
  without,
);
describeRevisionRepository(
  'SqliteRevisionRepository',
  opening((handle) => handle.revisions),
  without,
);
describeAccountRepository(
  'SqliteAccountRepository',
  opening((handle) => handle.accounts),
  without,
);
describeSessionRepository(
  'SqliteSessionRepository',
  opening((handle) => handle.sessions),
  without,
);
describeAccountTokenRepository(
  'SqliteAccountTokenRepository',
  opening((handle) => handle.accountTokens),
  without,
);
describeMailLedger(
  'SqliteMailLedger',
  opening((handle) => handle.mailLedger),
  without,
);
describeIdempotencyRepository(
  'SqliteIdempotencyRepository',
  opening((handle) => handle.idempotency),
  without,
);
describeSearchIndex(
  'SqliteSearchIndex',
  opening((handle) => handle.searchIndex),
  without,
);

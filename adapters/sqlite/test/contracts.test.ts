import {
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
import { databaseFolder } from './open-in-folder.ts';

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

describeDocumentRepository('SqliteDocumentRepository', opening((handle) => handle.documents));
describePageRepository('SqlitePageRepository', opening((handle) => handle.pages));
describeRevisionRepository('SqliteRevisionRepository', opening((handle) => handle.revisions));
describeAccountRepository('SqliteAccountRepository', opening((handle) => handle.accounts));
describeSessionRepository('SqliteSessionRepository', opening((handle) => handle.sessions));
describeAccountTokenRepository('SqliteAccountTokenRepository', opening((handle) => handle.accountTokens));
describeMailLedger('SqliteMailLedger', opening((handle) => handle.mailLedger));
describeIdempotencyRepository('SqliteIdempotencyRepository', opening((handle) => handle.idempotency));
describeSearchIndex('SqliteSearchIndex', opening((handle) => handle.searchIndex));

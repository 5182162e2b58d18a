import {
  describeAccountRepository,
  describeAccountTokenRepository,
  describeDocumentRepository,
  describeIdempotencyRepository,
  describeMailLedger,
  describePageRepository,
  describeRevisionRepository,
  describeSessionRepository,
  type Open,
} from '@palimpsest/contract-tests';
import type { Mongo } from '@palimpsest/mongodb';
import { describeOnMongo } from '../../../test/services/mongodb.ts';
import { databaseForSuite } from './database-on-server.ts';

await describeOnMongo('MongoDB', (server) => {
  const database = databaseForSuite(server);

  const opening =
    <T>(part: (handle: Mongo) => T): Open<T> =>
    async () => {
      const own = database();
      return {
        subject: part(await own.open()),
        openSecond: async () => part(await own.open()),
        reopen: async () => {
          await own.closeAll();
          return part(await own.open());
        },
        faults: own.faults,
        close: () => own.closeAll(),
      };
    };

  describeDocumentRepository(
    'MongoDocumentRepository',
    opening((handle) => handle.documents),
  );
  describePageRepository(
    'MongoPageRepository',
    opening((handle) => handle.pages),
  );
  describeRevisionRepository(
    'MongoRevisionRepository',
    opening((handle) => handle.revisions),
  );
  describeAccountRepository(
    'MongoAccountRepository',
    opening((handle) => handle.accounts),
  );
  describeSessionRepository(
    'MongoSessionRepository',
    opening((handle) => handle.sessions),
  );
  describeAccountTokenRepository(
    'MongoAccountTokenRepository',
    opening((handle) => handle.accountTokens),
  );
  describeMailLedger(
    'MongoMailLedger',
    opening((handle) => handle.mailLedger),
  );
  describeIdempotencyRepository(
    'MongoIdempotencyRepository',
    opening((handle) => handle.idempotency),
  );
});

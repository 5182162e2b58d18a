import { aKeyedRequest, at } from '@palimpsest/contract-tests';
import { SqliteIdempotencyRepository } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';
import { ObservedDatabase } from '../observed-database.ts';

const EXPIRED = 2500;

describe('removing many idempotency keys', () => {
  let folder: DatabaseFolder;
  let database: ObservedDatabase;
  let idempotency: SqliteIdempotencyRepository;
  const left: number[] = [];

  beforeEach(async () => {
    folder = await databaseFolder();
    await folder.open();
    database = new ObservedDatabase(folder.file);
    idempotency = new SqliteIdempotencyRepository(database);
    await database.write(() =>
      database.run(
        `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?)
         INSERT INTO keyed_requests (account_id, key, fingerprint, resource_id, held_until, expires_at, answer)
         SELECT 'account-1', 'expired ' || i, 'upload', i, 0, i, iif(i % 2, '{"id":"1"}', NULL) FROM numbers`,
        EXPIRED,
      ),
    );
    await idempotency.begin(aKeyedRequest({ accountId: 'account-2' }), at(0));
    left.length = 0;
    database.afterWrite = async () => {
      const row = await database.read(() => database.one<{ n: number }>('SELECT count(*) AS n FROM keyed_requests'));
      left.push(row?.n ?? 0);
    };
  });
  afterEach(async () => {
    database.close();
    await folder.remove();
  });

  it('removes all expired keys in several transactions, so that other writers can lock the database between them', async () => {
    expect(await idempotency.removeExpired(at(0))).to.equal(EXPIRED);
    expect(left).to.deep.equal([1501, 501, 1]);
  });

  it('removes all keys of an account in several transactions', async () => {
    await idempotency.removeAllOf('account-1');
    expect(left).to.deep.equal([1501, 501, 1]);
  });
});

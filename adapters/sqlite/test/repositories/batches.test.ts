import { aKeyedRequest, at } from '@palimpsest/contract-tests';
import { openDatabase, type Sqlite } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { databaseFolder, type DatabaseFolder } from '../open-in-folder.ts';

const EXPIRED = 50_000;

describe('SqliteIdempotencyRepository with many expired keys', function () {
  this.timeout(60_000);
  let folder: DatabaseFolder;
  let handle: Sqlite;

  beforeEach(async () => {
    folder = await databaseFolder();
    handle = await folder.open();
    const database = await openDatabase(folder.file);
    await database.write(() =>
      database.run(
        `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?)
         INSERT INTO keyed_requests (account_id, key, fingerprint, resource_id, held_until, expires_at, answer)
         SELECT 'account-1', 'expired ' || i, 'upload', i, 0, i, iif(i % 2, '{"id":"1"}', NULL) FROM numbers`,
        EXPIRED,
      ),
    );
    database.close();
  });
  afterEach(() => folder.remove());

  /** Begins requests one after the other from another handle until `work` is done; resolves with how many. */
  const begunDuring = async (work: Promise<unknown>): Promise<number> => {
    const other = await folder.open();
    const state = { done: false };
    void work.finally(() => {
      state.done = true;
    });
    let begun = 0;
    while (!state.done) {
      expect(await other.idempotency.begin(aKeyedRequest({ accountId: 'account-2' }), at(0))).to.include({
        kind: 'begun',
      });
      begun++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return begun;
  };

  it('forgets them all, and lets others in between', async () => {
    const removal = handle.idempotency.removeExpired(at(0));
    expect(await begunDuring(removal)).to.be.at.least(10);
    expect(await removal).to.equal(EXPIRED);
    expect(await handle.idempotency.removeExpired(at(0))).to.equal(0);
  });

  it('forgets all of an account, and lets others in between', async () => {
    expect(await begunDuring(handle.idempotency.removeAllOf('account-1'))).to.be.at.least(10);
    expect(await handle.idempotency.removeExpired(at(0))).to.equal(0);
  });
});

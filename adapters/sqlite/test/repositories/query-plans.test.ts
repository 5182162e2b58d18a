import { openDatabase, type Database, type Sqlite } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { aQueuedDocument } from '../documents.ts';
import { databaseFolder, type DatabaseFolder } from '../open-in-folder.ts';

/** Stores `count` documents in one go, each of the owner that `owner` (SQL over `i`) says. */
const fill = (database: Database, count: number, owner: string, status: 'queued' | 'completed', prefix: string) =>
  database.write(() =>
    database.run(
      `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?1)
       INSERT INTO documents (id, owner_id, status, received_at, claim_at, blob_key, version, record)
       SELECT ?2 || i, ${owner}, ?3, i, iif(?3 = 'queued', i, NULL), ?2 || i, 1,
         json_set(?4, '$.id', ?2 || i, '$.ownerId', ${owner}, '$.status', ?3, '$.receivedAt', i) FROM numbers`,
      count,
      prefix,
      status,
      JSON.stringify(aQueuedDocument({ id: '' })),
    ),
  );

/** The median time of a call in milliseconds. */
const median = async (call: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < 41; i++) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[20] ?? 0;
};

describe('SqliteDocumentRepository with many documents', function () {
  this.timeout(120_000);
  let folder: DatabaseFolder;
  let handle: Sqlite;
  let database: Database;

  before(async () => {
    folder = await databaseFolder();
    handle = await folder.open();
    database = await openDatabase(folder.file);
    await fill(database, 1_000, "'few'", 'completed', 'few-');
    await fill(database, 100_000, "'many'", 'completed', 'many-');
  });
  after(async () => {
    database.close();
    await folder.remove();
  });

  it('lists an owner of 100,000 in at most twice the time of an owner of 1,000', async () => {
    const list = (ownerId: string) => () => handle.documents.list(ownerId, { limit: 50, offset: 0 });
    expect((await list('many')()).total).to.equal(100_000);
    expect((await list('few')()).total).to.equal(1_000);
    const few = await median(list('few'));
    const many = await median(list('many'));
    // Below a tenth of a millisecond the machine is measured, not the list.
    expect(many).to.be.below(2 * few + 0.1);
  });

  it('finds the next of 10,000 queued documents of 5,000 owners within a few milliseconds', async () => {
    await fill(database, 10_000, "'queuing-' || (i % 5000)", 'queued', 'queued-');
    expect(await handle.documents.countClaimable(10_000)).to.equal(10_000);
    expect((await handle.documents.nextClaimable(10_000))?.ownerId).to.equal('queuing-1');
    expect(await median(() => handle.documents.nextClaimable(10_000))).to.be.below(5);
    // The dearest look of all: everybody waits and nobody is due.
    expect(await handle.documents.nextClaimable(0)).to.equal(undefined);
    expect(await median(() => handle.documents.nextClaimable(0))).to.be.below(50);
  });
});

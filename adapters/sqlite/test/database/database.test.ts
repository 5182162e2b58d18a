import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type Database } from '@palimpsest/sqlite';
import { isAppError } from '@palimpsest/core';
import { expect } from 'chai';
import { reopenDatabase } from '../../src/open-database.ts';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';
import { rejectionOf } from '../../../../test/expectations.ts';

/** Blocks the process for a millisecond, as a slow statement does. */
const block = (): void => {
  for (const end = performance.now() + 1; performance.now() < end;);
};

describe('openDatabase', () => {
  let folder: DatabaseFolder;
  const databases: Database[] = [];
  const open = async (lockTimeoutMs = 600_000, file = folder.file): Promise<Database> => {
    const database = await openDatabase(file, { lockTimeoutMs });
    databases.push(database);
    return database;
  };

  beforeEach(async () => {
    folder = await databaseFolder();
  });
  afterEach(async () => {
    for (const database of databases.splice(0)) database.close();
    await folder.remove();
  });

  it('creates a folder and files that only this user can access', async () => {
    const database = await open();
    await database.write(() => database.run("INSERT INTO owners (owner_id) VALUES ('a')"));
    expect((await stat(join(folder.folder, 'data'))).mode & 0o777).to.equal(0o700);
    for (const end of ['', '-wal', '-shm']) {
      expect((await stat(folder.file + end)).mode & 0o777, end).to.equal(0o600);
    }
  });

  it('makes an existing file accessible only by this user', async () => {
    (await open()).close();
    await writeFile(`${folder.file}.open`, await readFile(folder.file), { mode: 0o644 });
    await open(0, `${folder.file}.open`);
    expect((await stat(`${folder.file}.open`)).mode & 0o777).to.equal(0o600);
  });

  it('uses a write-ahead log, and waits for the disk at each commit', async () => {
    const database = await open();
    expect(await database.read(() => database.one('PRAGMA journal_mode'))).to.deep.equal({ journal_mode: 'wal' });
    expect(await database.read(() => database.one('PRAGMA synchronous'))).to.deep.equal({ synchronous: 2 });
    expect(await database.read(() => database.one('PRAGMA foreign_keys'))).to.deep.equal({ foreign_keys: 1 });
  });

  it('opens an existing database with its data', async () => {
    const first = await open();
    await first.write(() => first.run("INSERT INTO owners (owner_id) VALUES ('a')"));
    first.close();
    const second = await open();
    expect(await second.read(() => second.all('SELECT owner_id FROM owners'))).to.deep.equal([{ owner_id: 'a' }]);
  });

  it('refuses a database of a newer version and leaves the file unchanged', async () => {
    await mkdir(join(folder.folder, 'data'));
    const newer = new DatabaseSync(folder.file);
    newer.exec('CREATE TABLE of_the_future (a); PRAGMA user_version = 99');
    newer.close();
    const before = await readFile(folder.file);
    const error = await rejectionOf(open());
    expect(error)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/newer version of Palimpsest \(schema 99; this version knows \d+\)/);
    expect(before.equals(await readFile(folder.file))).to.equal(true);
  });

  it('rolls back a transaction that throws, and throws its error', async () => {
    const database = await open();
    const fault = new RangeError('no');
    const work = database.write(() => {
      database.run("INSERT INTO owners (owner_id) VALUES ('a')");
      throw fault;
    });
    expect(await rejectionOf(work)).to.equal(fault);
    expect(await database.read(() => database.all('SELECT * FROM owners'))).to.deep.equal([]);
    await database.write(() => database.run("INSERT INTO owners (owner_id) VALUES ('b')"));
  });

  for (const [how, readAll] of [
    [
      'one after the other',
      async (reads: readonly (() => Promise<unknown>)[]) => {
        for (const read of reads) await read();
      },
    ],
    ['at the same time', (reads: readonly (() => Promise<unknown>)[]) => Promise.all(reads.map((read) => read()))],
  ] as const) {
    it(`lets the event loop run while many calls are made ${how}`, async () => {
      const database = await open();
      const state = { reads: 0, readsAtTurn: 0 };
      setImmediate(() => {
        state.readsAtTurn = state.reads;
      });
      // They would block the event loop for 100 ms.
      const reads = Array.from({ length: 100 }, () => () => database.read(() => (block(), state.reads++)));
      await readAll(reads);
      expect(state.reads).to.equal(100);
      expect(state.readsAtTurn).to.be.below(50);
    });
  }

  it('throws SERVICE_UNAVAILABLE for waiting calls when it is closed', async () => {
    const database = await open();
    const reads = Promise.allSettled(Array.from({ length: 100 }, () => database.read(block)));
    database.close();
    const reasons = (await reads).flatMap((read): unknown[] => (read.status === 'rejected' ? [read.reason] : []));
    expect(reasons).to.have.length.above(0);
    expect(reasons.every((reason) => isAppError(reason, 'SERVICE_UNAVAILABLE'))).to.equal(true);
  });

  it('retries writes while the file is locked, lets the event loop run meanwhile, and writes when the lock is free', async () => {
    const database = await open();
    const other = new DatabaseSync(folder.file);
    other.exec('BEGIN IMMEDIATE');
    const state = { timers: 0 };
    const written = ['a', 'b', 'c', 'd'].map((owner) =>
      database.write(() => database.run('INSERT INTO owners (owner_id) VALUES (?)', owner)),
    );
    // Timers fire only while the writes do not block the process.
    while (state.timers < 5) {
      await delay(1);
      state.timers++;
    }
    other.exec('COMMIT');
    other.close();
    expect(await Promise.all(written)).to.deep.equal([1, 1, 1, 1]);
  });

  it('throws SERVICE_UNAVAILABLE if another connection locks the file for longer than the timeout', async () => {
    const database = await open(0);
    const other = new DatabaseSync(folder.file);
    other.exec('BEGIN IMMEDIATE');
    const error = await rejectionOf(database.write(() => database.run("INSERT INTO owners (owner_id) VALUES ('a')")));
    other.close();
    expect(isAppError(error, 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(error).to.have.property('cause').that.has.property('errstr', 'database is locked');
    expect(await database.write(() => database.run("INSERT INTO owners (owner_id) VALUES ('a')"))).to.equal(1);
  });

  it('throws SERVICE_UNAVAILABLE when the disk is full, and works again when there is space', async () => {
    const database = await open();
    const pages = await database.read(() => database.one<{ page_count: number }>('PRAGMA page_count'));
    database.script(`PRAGMA max_page_count = ${pages?.page_count ?? 0}`);
    const store = () =>
      database.write(() => database.run('INSERT INTO owners (owner_id) VALUES (?)', 'x'.repeat(100_000)));
    expect(isAppError(await rejectionOf(store()), 'SERVICE_UNAVAILABLE')).to.equal(true);
    database.script('PRAGMA max_page_count = 100000');
    expect(await store()).to.equal(1);
  });

  it('throws SERVICE_UNAVAILABLE if the file cannot be opened', async () => {
    const error = await rejectionOf(open(0, folder.folder));
    expect(isAppError(error, 'SERVICE_UNAVAILABLE')).to.equal(true);
  });

  it('throws the error of a wrong statement unchanged', async () => {
    const database = await open();
    const error = await rejectionOf(
      database.write(() => database.run('INSERT INTO owners (owner_id) VALUES (NULL), (NULL)')),
    );
    expect(error).to.have.property('code', 'ERR_SQLITE_ERROR');
  });
});

describe('reopenDatabase', () => {
  let folder: DatabaseFolder;
  beforeEach(async () => {
    folder = await databaseFolder();
  });
  afterEach(() => folder.remove());

  it('opens the same file even if its name has special characters, and waits for the disk at each commit', async () => {
    const file = join(folder.folder, 'a b%20?mode=memory#é.db');
    const [first, second] = [await openDatabase(file), await reopenDatabase(file)];
    await second.write(() => second.run("INSERT INTO owners (owner_id) VALUES ('a')"));
    expect(await second.read(() => second.one('PRAGMA synchronous'))).to.deep.equal({ synchronous: 2 });
    second.close();
    expect(await first.read(() => first.all('SELECT owner_id FROM owners'))).to.deep.equal([{ owner_id: 'a' }]);
    first.close();
  });

  it('throws SERVICE_UNAVAILABLE if the file does not exist, and does not create it', async () => {
    const file = join(folder.folder, 'none.db');
    expect(isAppError(await rejectionOf(reopenDatabase(file)), 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(await rejectionOf(stat(file))).to.have.property('code', 'ENOENT');
  });
});

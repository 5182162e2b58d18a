import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase, type Database } from '@palimpsest/sqlite';
import { isAppError } from '@palimpsest/core';
import { expect } from 'chai';
import { reopenDatabase } from '../../src/database.ts';
import { heldUpBy } from '../held-up.ts';
import { databaseFolder, type DatabaseFolder } from '../open-in-folder.ts';

const thrownBy = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
};

describe('openDatabase', () => {
  let folder: DatabaseFolder;
  const databases: Database[] = [];
  const open = async (patienceMs = 10_000, file = folder.file): Promise<Database> => {
    const database = await openDatabase(file, { patienceMs });
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

  it('makes a folder and files that nobody else can read', async () => {
    const database = await open();
    await database.write(() => database.run("INSERT INTO owners (owner_id) VALUES ('a')"));
    expect((await stat(join(folder.folder, 'data'))).mode & 0o777).to.equal(0o700);
    for (const end of ['', '-wal', '-shm']) {
      expect((await stat(folder.file + end)).mode & 0o777, end).to.equal(0o600);
    }
  });

  it('takes from others the right to read a file that is there', async () => {
    (await open()).close();
    await writeFile(`${folder.file}.open`, await readFile(folder.file), { mode: 0o644 });
    await open(0, `${folder.file}.open`);
    expect((await stat(`${folder.file}.open`)).mode & 0o777).to.equal(0o600);
  });

  it('writes ahead, and to the disk at each commit', async () => {
    const database = await open();
    expect(await database.read(() => database.one('PRAGMA journal_mode'))).to.deep.equal({ journal_mode: 'wal' });
    expect(await database.read(() => database.one('PRAGMA synchronous'))).to.deep.equal({ synchronous: 2 });
    expect(await database.read(() => database.one('PRAGMA foreign_keys'))).to.deep.equal({ foreign_keys: 1 });
  });

  it('opens again what it made, with all that is in it', async () => {
    const first = await open();
    await first.write(() => first.run("INSERT INTO owners (owner_id) VALUES ('a')"));
    first.close();
    const second = await open();
    expect(await second.read(() => second.all('SELECT owner_id FROM owners'))).to.deep.equal([{ owner_id: 'a' }]);
  });

  it('refuses a database of a newer version and leaves it as it is', async () => {
    await mkdir(join(folder.folder, 'data'));
    const newer = new DatabaseSync(folder.file);
    newer.exec('CREATE TABLE of_the_future (a); PRAGMA user_version = 99');
    newer.close();
    const before = await readFile(folder.file);
    const error = await thrownBy(open());
    expect(error)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/newer version of Palimpsest \(schema 99; this version knows \d+\)/);
    expect(before.equals(await readFile(folder.file))).to.equal(true);
  });

  it('keeps nothing of a transaction that throws, and lets its error through', async () => {
    const database = await open();
    const fault = new RangeError('no');
    const work = database.write(() => {
      database.run("INSERT INTO owners (owner_id) VALUES ('a')");
      throw fault;
    });
    expect(await thrownBy(work)).to.equal(fault);
    expect(await database.read(() => database.all('SELECT * FROM owners'))).to.deep.equal([]);
    await database.write(() => database.run("INSERT INTO owners (owner_id) VALUES ('b')"));
  });

  it('lets everything else go on while many reads follow each other', async () => {
    const database = await open();
    const state = { turns: 0 };
    const timer = setInterval(() => state.turns++, 1);
    for (let i = 0; i < 20_000; i++) await database.read(() => database.one('SELECT 1'));
    clearInterval(timer);
    expect(state.turns).to.be.above(2);
  });

  it('lets everything else go on while many reads wait at once, and does each', async () => {
    const database = await open();
    const state = { turns: 0 };
    const timer = setInterval(() => state.turns++, 1);
    const rows = await Promise.all(
      Array.from({ length: 20_000 }, (_, i) => database.read(() => database.one<{ i: number }>('SELECT ? AS i', i)?.i)),
    );
    clearInterval(timer);
    expect(state.turns).to.be.above(2);
    expect(rows).to.deep.equal(Array.from({ length: 20_000 }, (_, i) => i));
  });

  it('says that the service is unavailable to what still waits when it is closed', async () => {
    const database = await open();
    const reads = Promise.allSettled(
      Array.from({ length: 20_000 }, () => database.read(() => database.one('SELECT 1'))),
    );
    database.close();
    const reasons = (await reads).flatMap((read): unknown[] => (read.status === 'rejected' ? [read.reason] : []));
    expect(reasons).to.have.length.above(0);
    expect(reasons.every((reason) => isAppError(reason, 'SERVICE_UNAVAILABLE'))).to.equal(true);
  });

  it('waits for a lock without holding up the process, and goes on when it is free', async () => {
    const database = await open();
    const other = new DatabaseSync(folder.file);
    other.exec('BEGIN IMMEDIATE');
    const owners = ['a', 'b', 'c', 'd'];
    const written = owners.map((owner) =>
      database.write(() => database.run('INSERT INTO owners (owner_id) VALUES (?)', owner)),
    );
    // What waits lets other things happen.
    const { activeShare } = await heldUpBy(() => once(AbortSignal.timeout(300), 'abort'));
    other.exec('COMMIT');
    other.close();
    expect(await Promise.all(written)).to.deep.equal([1, 1, 1, 1]);
    expect(activeShare).to.be.below(0.5);
  });

  it('says that the service is unavailable while another process has the file locked for long', async () => {
    const database = await open(0);
    const other = new DatabaseSync(folder.file);
    other.exec('BEGIN IMMEDIATE');
    const error = await thrownBy(database.write(() => database.run("INSERT INTO owners (owner_id) VALUES ('a')")));
    other.close();
    expect(isAppError(error, 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(error).to.have.property('cause').that.has.property('errstr', 'database is locked');
    expect(await database.write(() => database.run("INSERT INTO owners (owner_id) VALUES ('a')"))).to.equal(1);
  });

  it('says that the service is unavailable when the disk is full, and works on when there is room again', async () => {
    const database = await open();
    const pages = await database.read(() => database.one<{ page_count: number }>('PRAGMA page_count'));
    database.script(`PRAGMA max_page_count = ${pages?.page_count ?? 0}`);
    const store = () =>
      database.write(() => database.run('INSERT INTO owners (owner_id) VALUES (?)', 'x'.repeat(100_000)));
    expect(isAppError(await thrownBy(store()), 'SERVICE_UNAVAILABLE')).to.equal(true);
    database.script('PRAGMA max_page_count = 100000');
    expect(await store()).to.equal(1);
  });

  it('says that the service is unavailable when the file cannot be opened', async () => {
    const error = await thrownBy(open(0, folder.folder));
    expect(isAppError(error, 'SERVICE_UNAVAILABLE')).to.equal(true);
  });

  it('lets an error through that is a fault of the statement', async () => {
    const database = await open();
    const error = await thrownBy(
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

  it('opens the same file, whatever its name, and writes to the disk at each commit', async () => {
    const file = join(folder.folder, 'a b%20?mode=memory#é.db');
    const [first, second] = [await openDatabase(file), await reopenDatabase(file)];
    await second.write(() => second.run("INSERT INTO owners (owner_id) VALUES ('a')"));
    expect(await second.read(() => second.one('PRAGMA synchronous'))).to.deep.equal({ synchronous: 2 });
    second.close();
    expect(await first.read(() => first.all('SELECT owner_id FROM owners'))).to.deep.equal([{ owner_id: 'a' }]);
    first.close();
  });

  it('says that the service is unavailable when there is no such file, and makes none', async () => {
    const file = join(folder.folder, 'none.db');
    expect(isAppError(await thrownBy(reopenDatabase(file)), 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(await thrownBy(stat(file))).to.have.property('code', 'ENOENT');
  });
});

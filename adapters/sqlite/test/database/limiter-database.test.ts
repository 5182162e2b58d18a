import { mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openDatabase, openLimiterDatabase, type LimiterDatabase } from '@palimpsest/sqlite';
import { isAppError } from '@palimpsest/core';
import { expect } from 'chai';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';
import { rejectionOf } from '../../../../test/expectations.ts';

describe('openLimiterDatabase', () => {
  let folder: DatabaseFolder;
  const databases: LimiterDatabase[] = [];
  const open = async (file = folder.file): Promise<LimiterDatabase> => {
    const database = await openLimiterDatabase({ file });
    databases.push(database);
    return database;
  };
  const failureOf = (file = folder.file): Promise<unknown> => rejectionOf(open(file));

  beforeEach(async () => {
    folder = await databaseFolder();
  });
  afterEach(async () => {
    for (const database of databases.splice(0)) database.close();
    await folder.remove();
  });

  it('creates a folder and files that only this user can access', async () => {
    (await open()).prepare('CREATE TABLE counts (n)').run();
    expect((await stat(dirname(folder.file))).mode & 0o777).to.equal(0o700);
    for (const end of ['', '-wal', '-shm']) expect((await stat(folder.file + end)).mode & 0o777, end).to.equal(0o600);
  });

  it('uses a write-ahead log, waits 250 ms for locks, and does not wait for the disk', async () => {
    const database = await open();
    expect(database.prepare('PRAGMA journal_mode').get()).to.deep.equal({ journal_mode: 'wal' });
    expect(database.prepare('PRAGMA synchronous').get()).to.deep.equal({ synchronous: 1 });
    expect(database.prepare('PRAGMA busy_timeout').get()).to.deep.equal({ timeout: 250 });
  });

  it('prepares each statement once', async () => {
    const database = await open();
    expect(database.prepare('SELECT 1')).to.equal(database.prepare('SELECT 1'));
  });

  it('keeps the changes when it is closed and opened again', async () => {
    const first = await open();
    first.prepare('CREATE TABLE counts (n)').run();
    first.prepare('INSERT INTO counts VALUES (1)').run();
    first.close();
    first.close();
    expect((await open()).prepare('SELECT count(*) AS n FROM counts').get()).to.deep.equal({ n: 1 });
  });

  it('is opened by several callers at the same moment', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => open()));
    all[0]?.prepare('CREATE TABLE counts (n)').run();
    expect(all[7]?.prepare('SELECT count(*) AS n FROM counts').get()).to.deep.equal({ n: 0 });
  });

  it('refuses a file that is not a database, and leaves it unchanged', async () => {
    await mkdir(dirname(folder.file));
    const text = 'this is a letter, and not a database. '.repeat(100);
    await writeFile(folder.file, text);
    expect(await failureOf())
      .to.be.an('error')
      .with.property('message')
      .that.includes('damaged or not an SQLite database');
    expect(await readFile(folder.file, 'utf8')).to.equal(text);
  });

  it('refuses a file with another database, and leaves it unchanged', async () => {
    (await openDatabase(folder.file)).close();
    const before = await readFile(folder.file);
    expect(await failureOf())
      .to.be.an('error')
      .with.property('message')
      .that.includes('another database');
    expect(before.equals(await readFile(folder.file))).to.equal(true);
  });

  it('refuses a damaged file', async () => {
    const database = await open();
    database.prepare('CREATE TABLE counts (n)').run();
    database.prepare('BEGIN').run();
    for (let i = 0; i < 500; i++) database.prepare('INSERT INTO counts VALUES (?)').run('x'.repeat(200));
    database.prepare('COMMIT').run();
    database.close();
    await writeFile(`${folder.file}.cut`, await readFile(folder.file));
    await truncate(`${folder.file}.cut`, 40_000);
    expect(await failureOf(`${folder.file}.cut`))
      .to.be.an('error')
      .with.property('message')
      .that.includes('damaged');
    const bytes = await readFile(folder.file);
    bytes.fill(0xa5, 4096 * 3, 4096 * 9);
    await writeFile(`${folder.file}.spoilt`, bytes);
    expect(await failureOf(`${folder.file}.spoilt`))
      .to.be.an('error')
      .with.property('message')
      .that.includes('damaged');
  });

  it('throws SERVICE_UNAVAILABLE if the file cannot be opened', async () => {
    await mkdir(folder.file, { recursive: true });
    expect(isAppError(await failureOf(), 'SERVICE_UNAVAILABLE')).to.equal(true);
  });
});

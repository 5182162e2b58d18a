import { access, rename } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { aSearchEntry } from '@palimpsest/contract-tests';
import { isAppError, parseSearchQuery, type Page } from '@palimpsest/core';
import { SearchPool, type SearchPoolSettings, type Sqlite } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { databaseFolder, type DatabaseFolder } from '../database-folder.ts';
import { rejectionOf } from '../../../../test/expectations.ts';

const LONG_TEXT = 'word '.repeat(30_000); // so long that a thread indexes it

const isUnavailable = (error: unknown): boolean => isAppError(error, 'SERVICE_UNAVAILABLE');

describe('SearchPool', () => {
  let folder: DatabaseFolder;
  let handle: Sqlite;
  let pool: SearchPool;
  const pools: SearchPool[] = [];
  const threads = { started: 0, running: 0 };
  const countThread = (thread: Worker): void => {
    threads.started++;
    threads.running++;
    thread.once('exit', () => threads.running--);
  };

  const openPool = (settings?: SearchPoolSettings): SearchPool => {
    const opened = new SearchPool(settings);
    pools.push(opened);
    return opened;
  };
  beforeEach(async () => {
    folder = await databaseFolder();
    pool = openPool();
    handle = await folder.open({ searchPool: pool });
    Object.assign(threads, { started: 0, running: 0 });
    process.on('worker', countThread);
  });
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((opened) => opened.close()));
    process.off('worker', countThread);
    await folder.remove();
  });

  const search = (ownerId: string, q: string, by = handle): Promise<Page<string>> =>
    by.searchIndex.search(ownerId, parseSearchQuery(q), { limit: 50, offset: 0 });
  const put = (entry: Partial<Parameters<typeof aSearchEntry>[0]>, by = handle): Promise<void> =>
    by.searchIndex.put(aSearchEntry({ documentId: 'document-1', ...entry }));
  /** Locks the database for all writers until the returned function is called. */
  const lock = (): (() => void) => {
    const other = new DatabaseSync(folder.file);
    other.exec('BEGIN IMMEDIATE');
    return () => other.close();
  };

  it('finds an entry in a thread directly after its put', async () => {
    for (let i = 0; i < 5; i++) {
      await put({ version: i, text: `word${i}` });
      expect(await search('owner-1', `word${i}`)).to.deep.equal({ items: ['document-1'], total: 1 });
      expect(await search('owner-1', `word${i - 1}`)).to.deep.equal({ items: [], total: 0 });
    }
    expect(threads).to.deep.equal({ started: 1, running: 1 });
  });

  it('uses one thread for the searches of one owner, and two threads for several owners', async () => {
    await Promise.all([1, 2, 3, 4].map(() => search('owner-1', 'a')));
    expect(threads.started).to.equal(1);
    await Promise.all(['owner-1', 'owner-2', 'owner-3', 'owner-4'].map((ownerId) => search(ownerId, 'a')));
    expect(threads.started).to.equal(2);
  });

  it('indexes long texts in one thread, and short texts without a thread', async () => {
    await put({ text: 'short' });
    expect(threads.started).to.equal(0);
    await Promise.all(['a', 'b', 'c'].map((documentId) => put({ documentId, text: LONG_TEXT })));
    expect(threads.started).to.equal(1);
    expect((await search('owner-1', 'word')).items).to.have.members(['a', 'b', 'c']);
  });

  it('starts no thread for a version that is lower than the stored one', async () => {
    await put({ version: 2, text: 'short' });
    await put({ version: 1, text: LONG_TEXT });
    expect(threads.started).to.equal(0);
    expect((await search('owner-1', 'word')).total).to.equal(0);
  });

  it('refuses a search that exceeds its timeout', async () => {
    // The timeout ends right after a thread was given the search.
    const timeout = mock.method(AbortSignal, 'timeout', () => {
      const controller = new AbortController();
      queueMicrotask(() => controller.abort());
      return controller.signal;
    });
    const refused = await rejectionOf(search('owner-1', 'a')).finally(() => timeout.mock.restore());
    expect(timeout.mock.calls.map((call) => call.arguments)).to.deep.equal([[10_000]]);
    expect(isAppError(refused, 'VALIDATION_ERROR')).to.equal(true);
    expect(refused).to.have.property('message', 'q: this search takes too long. Use fewer or rarer words.');
  });

  it('terminates the thread of a put that exceeds its timeout', async () => {
    const hasty = await folder.open({ searchPool: openPool({ putTimeoutMs: 1 }) });
    const unlock = lock();
    expect(isUnavailable(await rejectionOf(put({ text: LONG_TEXT }, hasty)))).to.equal(true);
    await pools.at(-1)?.close();
    unlock();
    expect(await handle.searchIndex.versionOf('document-1')).to.equal(undefined);
  });

  it('throws SERVICE_UNAVAILABLE for a put while the database is locked, and stores the next one', async () => {
    const hasty = await folder.open({ searchPool: pool, lockTimeoutMs: 0 });
    const unlock = lock();
    const error = await rejectionOf(put({ text: LONG_TEXT }, hasty));
    unlock();
    expect(isUnavailable(error)).to.equal(true);
    expect(error).to.have.nested.property('cause.message', 'database is locked');
    await put({ text: LONG_TEXT }, hasty);
    expect((await search('owner-1', 'word')).items).to.deep.equal(['document-1']);
  });

  it('throws SERVICE_UNAVAILABLE if the file does not exist, and does not create it', async () => {
    await rename(folder.file, `${folder.file}.gone`);
    expect(isUnavailable(await rejectionOf(search('owner-1', 'a')))).to.equal(true);
    expect(await rejectionOf(access(folder.file))).to.have.property('code', 'ENOENT');
    await rename(`${folder.file}.gone`, folder.file);
    expect(await search('owner-1', 'a')).to.deep.equal({ items: [], total: 0 });
  });

  it('throws the same error for a long text as for a short one, and stores the next text', async () => {
    const ownerId = '\ud800';
    for (const text of ['short', LONG_TEXT]) {
      const error = await rejectionOf(put({ ownerId, text }));
      expect(error).to.be.an('error').with.property('message', 'The id of an owner contains a lone surrogate');
    }
    await put({ text: LONG_TEXT });
    expect((await search('owner-1', 'word')).total).to.equal(1);
  });

  it('throws SERVICE_UNAVAILABLE for running, waiting and later tasks when it is closed, and leaves no thread', async () => {
    const unlock = lock();
    const tasks = ['a', 'b', 'c'].map((documentId) => rejectionOf(put({ documentId, text: LONG_TEXT })));
    await pool.close();
    const errors = [
      ...(await Promise.all(tasks)),
      await rejectionOf(put({ text: LONG_TEXT })),
      await rejectionOf(search('a', 'a')),
    ];
    expect(errors.map(isUnavailable)).to.deep.equal([true, true, true, true, true]);
    expect(threads.running).to.equal(0);
    await pool.close();
    unlock();
    expect(await handle.searchIndex.scan(undefined, 10)).to.deep.equal([]);
  });

  it('is closed with the database that created it, even while a thread waits for a lock', async () => {
    const own = await folder.open({ ownThreads: true });
    await search('owner-1', 'a', own);
    expect(threads.running).to.equal(1);
    const unlock = lock();
    const waiting = rejectionOf(put({ text: LONG_TEXT }, own));
    await own.close();
    expect(isUnavailable(await waiting)).to.equal(true);
    expect(threads.running).to.equal(0);
    unlock();
  });
});

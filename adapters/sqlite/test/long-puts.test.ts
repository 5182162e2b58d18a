import { once } from 'node:events';
import { access, rename } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { aSearchEntry } from '@palimpsest/contract-tests';
import { isAppError, parseSearchQuery } from '@palimpsest/core';
import { openDatabase, SqliteSearchIndex, type Sqlite } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { startChild } from './child-process.ts';
import { aQueuedDocument } from './documents.ts';
import { heldUpBy } from './held-up.ts';
import { databaseFolder, type DatabaseFolder } from './open-in-folder.ts';

const MEBIBYTE = 1024 * 1024;

/** A text of so many characters; all its words begin with `word`. */
const longText = (word: string, length = 512 * 1024): string => {
  const words = Array.from({ length: 20_000 }, (_, i) => `${word}${(i * 7919) % 10_007} `).join('');
  return words.repeat(Math.ceil(length / words.length)).slice(0, length);
};

const outcomeOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );

describe('SqliteSearchIndex with long texts', function () {
  this.timeout(60_000);
  let folder: DatabaseFolder;
  let handle: Sqlite;
  const threads = { begun: 0, running: 0, mostAtOnce: 0 };
  const countThread = (thread: Worker): void => {
    threads.begun++;
    threads.running++;
    threads.mostAtOnce = Math.max(threads.mostAtOnce, threads.running);
    thread.once('exit', () => threads.running--);
  };

  beforeEach(async () => {
    folder = await databaseFolder();
    handle = await folder.open();
    Object.assign(threads, { begun: 0, running: 0, mostAtOnce: 0 });
    process.on('worker', countThread);
  });
  afterEach(async () => {
    process.off('worker', countThread);
    await folder.remove();
  });

  const found = async (q: string): Promise<readonly string[]> =>
    (await handle.searchIndex.search('owner-1', parseSearchQuery(q), { limit: 200, offset: 0 })).items;
  const put = (entry: Partial<Parameters<typeof aSearchEntry>[0]>, by = handle): Promise<void> =>
    by.searchIndex.put(aSearchEntry({ documentId: 'document-1', ...entry }));

  it('goes on with everything else while 5 MiB are put, which would take it long', async () => {
    const entry = aSearchEntry({ documentId: 'document-1', text: longText('word', 5 * MEBIBYTE) });
    const database = await openDatabase(`${folder.file}.other`);
    const alone = await heldUpBy(() => new SqliteSearchIndex(database).put(entry));
    database.close();
    const { longestTurnMs, activeShare } = await heldUpBy(() => handle.searchIndex.put(entry));
    expect(longestTurnMs).to.be.below(alone.longestTurnMs / 3);
    expect(activeShare).to.be.below(0.5);
    expect(threads).to.include({ begun: 1, running: 0 });
    expect(await found('word1')).to.deep.equal(['document-1']);
  });

  it('is read while a long text is put, and does not fail what is written meanwhile', async () => {
    await put({ version: 1, text: 'old' });
    const state = { reads: 0, done: false };
    const work = put({ version: 2, text: longText('new', 5 * MEBIBYTE) }).finally(() => {
      state.done = true;
    });
    const writes: Promise<unknown>[] = [];
    while (!state.done) {
      if ((await found('old')).length === 1) state.reads++;
      writes.push(handle.documents.add(aQueuedDocument({ id: `queued-${writes.length}` })));
      await once(AbortSignal.timeout(10), 'abort');
    }
    await Promise.all([work, ...writes]);
    expect(state.reads).to.be.above(5);
    expect(await found('old')).to.deep.equal([]);
    expect(await found('new1')).to.deep.equal(['document-1']);
    expect(await handle.documents.find('queued-0')).to.have.property('id', 'queued-0');
  });

  it('begins no thread for a text of 128 Ki characters, nor for a version that is too low', async () => {
    await put({ version: 2, text: longText('short', 128 * 1024) });
    await put({ version: 1, text: longText('late') });
    expect(threads.begun).to.equal(0);
    expect(await found('short1 -late1')).to.deep.equal(['document-1']);
  });

  it('has one thread at a time', async () => {
    const ids = ['a', 'b', 'c'];
    await Promise.all(ids.map((documentId) => put({ documentId, text: longText('word') })));
    expect(threads).to.include({ begun: 3, running: 0, mostAtOnce: 1 });
    expect(await found('word1')).to.have.members(ids);
  });

  it('keeps the highest version of rivals, long and short, here and in another handle', async () => {
    const other = await folder.open();
    for (const versions of [
      [1, 2, 3, 4],
      [4, 3, 2, 1],
      [2, 4, 1, 3],
    ]) {
      await Promise.all(
        versions.map((version, i) =>
          put(
            { version, text: version === 3 ? `text${version}` : longText(`text${version}x`) },
            i % 2 === 0 ? handle : other,
          ),
        ),
      );
      expect(await other.searchIndex.versionOf('document-1')).to.equal(4);
      expect(await found('text*')).to.deep.equal(['document-1']);
      expect(await found('text4x1 -text1x1 -text2x1 -text3')).to.deep.equal(['document-1']);
      await other.searchIndex.remove('document-1');
    }
  });

  it('is overtaken by a short text of a higher version', async () => {
    const work = put({ version: 1, text: longText('long') });
    await put({ version: 2, text: 'short' });
    await work;
    expect(await found('long1')).to.deep.equal([]);
    expect(await found('short')).to.deep.equal(['document-1']);
  });

  it('says that the service is unavailable while another has the file locked for long, and does the next', async () => {
    const hasty = await folder.open({ patienceMs: 0 });
    const other = new DatabaseSync(folder.file);
    other.exec('BEGIN IMMEDIATE');
    const error = await outcomeOf(put({ text: longText('word') }, hasty));
    other.close();
    expect(isAppError(error, 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(error).to.have.property('cause').that.has.property('errstr', 'database is locked');
    await put({ text: longText('word') }, hasty);
    expect(await found('word1')).to.deep.equal(['document-1']);
  });

  it('says that the service is unavailable when the file is gone, and makes none', async () => {
    await put({ text: 'short' });
    await rename(folder.file, `${folder.file}.gone`);
    const error = await outcomeOf(put({ text: longText('word') }));
    expect(isAppError(error, 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(error).to.have.property('cause').that.has.property('errstr', 'unable to open database file');
    expect(await access(folder.file).catch((missing: unknown) => missing)).to.have.property('code', 'ENOENT');
    await rename(`${folder.file}.gone`, folder.file);
    await put({ text: longText('word') });
  });

  it('throws what a short text would, for that put alone', async () => {
    const error = await outcomeOf(put({ ownerId: '\ud800', text: longText('word') }));
    expect(error).to.be.instanceOf(TypeError).with.property('message', 'The id of an owner has a lone surrogate');
    expect(error).to.deep.include(await outcomeOf(put({ ownerId: '\ud800', text: 'short' })));
    await put({ text: longText('word') });
  });

  it('throws for a text that its thread dies of, and puts the next', async () => {
    const child = startChild(new URL('memory.child.ts', import.meta.url), folder.file);
    await child.ended();
    expect(child.lines).to.deep.equal(['long: ERR_WORKER_OUT_OF_MEMORY, next: stored', 'long: undefined, next: 1']);
  });

  it('is closed with no thread left; what is not put by then says that the service is unavailable', async () => {
    const closing = await folder.open();
    const outcomes = [1, 2, 3].map((i) =>
      outcomeOf(put({ documentId: `document-${i}`, text: longText('word', MEBIBYTE) }, closing)),
    );
    await once(process, 'worker');
    await closing.close();
    expect(threads).to.include({ begun: 1, running: 0 });
    const unavailable = (await Promise.all(outcomes)).map((outcome) => isAppError(outcome, 'SERVICE_UNAVAILABLE'));
    // A thread that had stored its text is not called back.
    expect(unavailable.slice(1)).to.deep.equal([true, true]);
    const stored = await found('word1');
    if (!unavailable[0]) expect(stored).to.deep.equal(['document-1']);
    expect(stored).to.have.length.below(2);
    await closing.close();
    await put({ documentId: 'after', text: longText('word') });
    expect(await found('word1')).to.have.members([...stored, 'after']);
    const file = new DatabaseSync(folder.file);
    file.exec("INSERT INTO search_words (search_words, rank) VALUES ('integrity-check', 1)");
    file.close();
  });

  it('is closed while a text waits for a locked file, and does not wait with it', async () => {
    const closing = await folder.open({ patienceMs: 60_000 });
    const other = new DatabaseSync(folder.file);
    other.exec('BEGIN IMMEDIATE');
    const outcome = outcomeOf(put({ text: longText('word') }, closing));
    const [thread] = await once(process, 'worker');
    await once(thread, 'online');
    await closing.close();
    expect(isAppError(await outcome, 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(threads.running).to.equal(0);
    other.close();
    expect(await handle.searchIndex.versionOf('document-1')).to.equal(undefined);
  });
});

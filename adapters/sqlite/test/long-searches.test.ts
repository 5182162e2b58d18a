import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import { aSearchEntry, at } from '@palimpsest/contract-tests';
import { isAppError, parseSearchQuery, type Page } from '@palimpsest/core';
import type { Sqlite } from '@palimpsest/sqlite';
import { expect } from 'chai';
import { LongSearches } from '../src/long-searches.ts';
import { heldUpBy } from './held-up.ts';
import { databaseFolder, type DatabaseFolder } from './open-in-folder.ts';

const MEBIBYTE = 1024 * 1024;
const PAGE = { limit: 50, offset: 0 };
// Of processor time. A search that is not done in a thread takes less; what is searched for here took seconds.
const SHORT_MS = 250;

const numbersTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);
const outcomeOf = <T>(work: Promise<T>): Promise<unknown> => work.catch((error: unknown) => error);
const phrase = (length: number, last: string): string => `"${'a '.repeat(length - 1)}${last}"`;
/** It looks through each text 120 times. */
const LASTING = `a ${numbersTo(120)
  .map((i) => `-"a b${i.toString(36)}"`)
  .join(' ')}`.slice(0, 500);

describe('SqliteSearchIndex with long searches', function () {
  this.timeout(60_000);
  let folder: DatabaseFolder;
  let handle: Sqlite;
  const threads = { begun: 0, running: 0 };
  const countThread = (thread: Worker): void => {
    threads.begun++;
    threads.running++;
    thread.once('exit', () => threads.running--);
  };
  const opened: LongSearches[] = [];
  const openSearches = (deadlineMs?: number): LongSearches => {
    const searches = new LongSearches(folder.file, {}, deadlineMs);
    opened.push(searches);
    return searches;
  };

  before(async () => {
    folder = await databaseFolder();
    handle = await folder.open();
    const text = 'a '.repeat(2.5 * MEBIBYTE);
    await handle.searchIndex.put(aSearchEntry({ documentId: 'long', ownerId: 'owner-1', text }));
    await handle.searchIndex.put(aSearchEntry({ documentId: 'long-2', ownerId: 'owner-5', text }));
    await handle.searchIndex.put(
      aSearchEntry({ documentId: 'ideographs', ownerId: 'owner-2', text: '日'.repeat(MEBIBYTE) }),
    );
    for (const i of numbersTo(1200)) {
      const title = i === 5 ? 'a1 a2' : 'title';
      const words = numbersTo(160)
        .map((n) => `a${n.toString(36)}`)
        .join(' ');
      await handle.searchIndex.put(
        aSearchEntry({
          documentId: `many-${i}`,
          ownerId: 'owner-3',
          title,
          filename: words,
          text: 'x',
          receivedAt: at(i),
        }),
      );
    }
    await handle.close();
  });
  after(() => folder.remove());
  beforeEach(async () => {
    handle = await folder.open();
    Object.assign(threads, { begun: 0, running: 0 });
    process.on('worker', countThread);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((searches) => searches.close()));
    await handle.close();
    process.off('worker', countThread);
  });

  const search = (ownerId: string, q: string): Promise<Page<string>> =>
    handle.searchIndex.search(ownerId, parseSearchQuery(q), PAGE);
  const task = (ownerId: string, q: string) => ({ ownerId, query: parseSearchQuery(q), page: PAGE });

  const hostile = [
    ['owner-1', 'a phrase of 249 words', phrase(249, 'a'), 1],
    ['owner-1', 'a phrase of 249 words that is not there', phrase(249, 'b'), 0],
    [
      'owner-1',
      'twenty phrases',
      numbersTo(20)
        .map((i) => phrase(i + 2, 'a'))
        .join(' '),
      1,
    ],
    [
      'owner-1',
      'phrases that must not be there',
      `a ${numbersTo(5)
        .map((i) => `-${phrase(i + 2, 'b')}`)
        .join(' ')}`,
      1,
    ],
    ['owner-2', 'a word of 500 ideographs', '日'.repeat(500), 1],
    [
      'owner-3',
      '150 words in many file names',
      numbersTo(150)
        .map((n) => `a${n.toString(36)}`)
        .join(' '),
      1200,
    ],
  ] as const;
  for (const [ownerId, what, q, total] of hostile) {
    it(`goes on with everything else, and finds what is there: ${what}`, async () => {
      let found: Page<string> | undefined;
      const { longestTurnMs } = await heldUpBy(async () => {
        found = await search(ownerId, q);
      });
      expect(found).to.have.property('total', total);
      expect(longestTurnMs).to.be.below(SHORT_MS);
    });
  }

  it('has titles first, then the newest, where too many names and terms are to be looked through', async () => {
    const { items } = await search(
      'owner-3',
      numbersTo(150)
        .map((n) => `a${n.toString(36)}`)
        .join(' '),
    );
    expect(items.slice(0, 3)).to.deep.equal(['many-5', 'many-1200', 'many-1199']);
  });

  it('begins a thread at the first long search, none for short ones, and uses it again', async () => {
    for (const q of ['a1', 'x -a', '"title letter"', 'tit*', 'a1 -a2 -a3']) await search('owner-3', q);
    expect(threads.begun).to.equal(0);
    for (let i = 0; i < 3; i++)
      expect(await search('owner-1', phrase(249, 'a'))).to.deep.equal({ items: ['long'], total: 1 });
    expect(threads).to.deep.equal({ begun: 1, running: 1 });
    await handle.close();
    expect(threads).to.deep.equal({ begun: 1, running: 0 });
  });

  it('finds in a thread what was put just before', async () => {
    const searches = openSearches();
    for (const i of numbersTo(20)) {
      await handle.searchIndex.put(
        aSearchEntry({ documentId: 'put', ownerId: 'owner-4', version: i, text: `word${i}` }),
      );
      expect(await searches.search(task('owner-4', `word${i}`))).to.deep.equal({ items: ['put'], total: 1 });
      expect(await searches.search(task('owner-4', `word${i - 1}`))).to.deep.equal({ items: [], total: 0 });
    }
  });

  it('refuses what takes a thread too long, and does the next', async () => {
    const searches = openSearches(50);
    const refused = await outcomeOf(searches.search(task('owner-1', LASTING)));
    expect(isAppError(refused, 'VALIDATION_ERROR')).to.equal(true);
    expect(refused).to.have.property('message', 'q: this search takes too long. Use fewer or rarer words.');
    // On a machine that is very busy this can take too long as well.
    let next: unknown = refused;
    while (isAppError(next, 'VALIDATION_ERROR')) next = await outcomeOf(searches.search(task('owner-1', 'a')));
    expect(next).to.deep.equal({ items: ['long'], total: 1 });
    expect(threads.running).to.equal(1);
  });

  it('lets owners take turns, however much one of them searches for', async () => {
    const searches = openSearches(60_000);
    const ended: string[] = [];
    const note = async (ownerId: string, q: string): Promise<void> => {
      await searches.search(task(ownerId, q));
      ended.push(ownerId);
    };
    const lasting = numbersTo(3).flatMap(() => [note('owner-1', LASTING), note('owner-5', LASTING)]);
    await Promise.all([...lasting, note('owner-3', 'a1')]);
    expect(ended).to.have.length(7);
    expect(ended.indexOf('owner-3')).to.be.below(5);
    expect(threads.begun).to.equal(2);
  });

  it('does not let one owner have both threads', async () => {
    const searches = openSearches(60_000);
    await Promise.all(numbersTo(4).map(() => searches.search(task('owner-1', 'a'))));
    expect(threads.begun).to.equal(1);
  });

  it('is closed with no thread left; what is not found by then says that the service is unavailable', async () => {
    const searches = openSearches(60_000);
    const work = [...numbersTo(3).map(() => 'owner-1'), 'owner-2', 'owner-3'].map((ownerId) =>
      outcomeOf(searches.search(task(ownerId, LASTING))),
    );
    await once(process, 'worker');
    await searches.close();
    expect(threads.running).to.equal(0);
    const outcomes = [...(await Promise.all(work)), await outcomeOf(searches.search(task('owner-1', 'a')))];
    expect(outcomes.map((outcome) => isAppError(outcome, 'SERVICE_UNAVAILABLE'))).to.deep.equal(
      outcomes.map(() => true),
    );
    await searches.close();
  });

  it('is closed while a thread searches', async () => {
    const searches = openSearches(60_000);
    await searches.search(task('owner-1', 'a'));
    const work = outcomeOf(searches.search(task('owner-1', LASTING)));
    await searches.close();
    expect(isAppError(await work, 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(threads).to.deep.equal({ begun: 1, running: 0 });
  });

  it('says that the service is unavailable when the file is gone, and does the next', async () => {
    const searches = openSearches();
    await rename(folder.file, `${folder.file}.gone`);
    const error = await outcomeOf(searches.search(task('owner-1', 'a')));
    await rename(`${folder.file}.gone`, folder.file);
    expect(isAppError(error, 'SERVICE_UNAVAILABLE')).to.equal(true);
    expect(await searches.search(task('owner-1', 'a'))).to.deep.equal({ items: ['long'], total: 1 });
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { aSearchEntry } from '@palimpsest/contract-tests';
import { parseSearchQuery, type SearchEntry } from '@palimpsest/core';
import { expect } from 'chai';
import { searchRecords } from '../../src/search/entry-records.ts';
import { describeOnMongo } from '../../../../test/services/mongodb.ts';
import { searchDatabaseForSuite } from './search-database.ts';

const WIDE = { limit: 50, offset: 0 };
const SENTENCE = 'words that fill many pages of a text and are the same on each of them ';
const IN_PARTS = 12_000; // so many of them do not fit in one record

interface Putting {
  /** Puts an entry whose text is `text` and so many sentences. */
  readonly put: (entry: SearchEntry, sentences: number) => void;
  readonly end: () => Promise<void>; // when all is stored
  readonly kill: () => Promise<void>;
}

const startPutting = (url: string): Putting => {
  const script = fileURLToPath(new URL('put.child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@palimpsest/source', script, url], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const closed = once(child, 'close');
  return {
    put: (entry, sentences) =>
      child.stdin.write(`${JSON.stringify({ ...entry, repeated: SENTENCE, times: sentences })}\n`),
    end: async () => {
      child.stdin.end();
      await closed;
      if (child.exitCode !== 0) throw new Error(`${script} failed: ${complaints.join('')}`);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
};

await describeOnMongo('MongoSearchIndex in several processes', (server) => {
  const database = searchDatabaseForSuite(server);
  const found = async (q: string): Promise<readonly string[]> =>
    (await database().index.search('owner-1', parseSearchQuery(q), WIDE)).items;
  const countParts = (): Promise<number> => searchRecords(database().database).parts.countDocuments({});

  /** Begins to put an entry of many parts in a process, and kills it when some of them are stored. */
  const breakOff = async (entry: SearchEntry): Promise<void> => {
    const before = await countParts();
    const child = startPutting(database().url);
    child.put(entry, 200_000);
    while ((await countParts()) < before + 3) await delay(5);
    await child.kill();
    expect(await countParts(), 'parts left').to.be.above(before);
  };

  for (const [kind, sentences] of [
    ['short', 1],
    ['long', IN_PARTS],
  ] as const) {
    it(`leaves a ${kind} entry as it was when the process is killed that puts a longer one, and the next put leaves nothing over`, async function () {
      this.timeout(120_000);
      const old = aSearchEntry({ documentId: 'document-1', version: 1, text: `old ${SENTENCE.repeat(sentences)}` });
      await database().index.put(old);
      const partsOfOld = await countParts();
      expect(partsOfOld > 0).to.equal(kind === 'long');
      await breakOff(aSearchEntry({ documentId: 'document-1', version: 2, text: 'new' }));
      expect(await found('old "words that fill" letter')).to.deep.equal(['document-1']);
      expect(await found('new')).to.deep.equal([]);
      expect(await database().index.versionOf('document-1')).to.equal(1);
      await database().index.put({ ...old, version: 2, text: 'newer' });
      expect(await found('old')).to.deep.equal([]);
      expect(await found('newer')).to.deep.equal(['document-1']);
      expect(await countParts()).to.equal(0);
    });
  }

  it('has no entry when the process is killed that puts the first one, and its removal leaves nothing over', async function () {
    this.timeout(120_000);
    const { index } = database();
    await breakOff(aSearchEntry({ documentId: 'document-1', text: 'new' }));
    expect(await found('')).to.deep.equal([]);
    expect(await found('new')).to.deep.equal([]);
    expect(await index.versionOf('document-1')).to.equal(undefined);
    // So that a sweep finds it, if the document is gone.
    expect(await index.scan(undefined, 10)).to.deep.equal(['document-1']);
    await index.remove('document-1');
    expect(await index.scan(undefined, 10)).to.deep.equal([]);
    expect(await countParts()).to.equal(0);
  });

  it('finds an entry at any moment while two processes put versions of it, long and short, and keeps the highest', async function () {
    this.timeout(240_000);
    const { index, url } = database();
    const entryOf = (version: number): SearchEntry =>
      aSearchEntry({ documentId: 'document-1', version, title: '', text: `always version${version}` });
    const last = 12;
    await index.put(entryOf(0));
    const children = [startPutting(url), startPutting(url)];
    for (let version = 1; version <= last; version++)
      children[version % 2]?.put(entryOf(version), version % 3 === 0 ? 1 : IN_PARTS);
    const state = { isOver: false };
    const ended = Promise.all(children.map((child) => child.end())).finally(() => {
      state.isOver = true;
    });
    let searches = 0;
    for (; !state.isOver; searches++) {
      for (const q of ['always', 'alw* -absent', '']) {
        expect(await index.search('owner-1', parseSearchQuery(q), WIDE), q).to.deep.equal({
          items: ['document-1'],
          total: 1,
        });
      }
    }
    await ended;
    expect(searches).to.be.above(10);
    expect(await index.versionOf('document-1')).to.equal(last);
    expect(await found(`version${last}`)).to.deep.equal(['document-1']);
    expect(await found('version*')).to.deep.equal(['document-1']);
    for (let version = 0; version < last; version++)
      expect(await found(`version${version}`), `version ${version}`).to.deep.equal([]);
    await index.put(entryOf(last));
    expect(await countParts()).to.equal(0);
  });
});

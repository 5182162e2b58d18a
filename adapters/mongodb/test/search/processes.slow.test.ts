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
const IN_PARTS = 12_000; // so many sentences do not fit in one record

/** A process that puts entries. */
interface PuttingProcess {
  /** Starts to put an entry whose text is followed by so many sentences. */
  readonly put: (entry: SearchEntry, sentences: number) => void;
  readonly end: () => Promise<void>; // resolves after all entries are stored
  readonly kill: () => Promise<void>;
}

const startPutting = (url: string): PuttingProcess => {
  const script = fileURLToPath(new URL('put.child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@palimpsest/source', script, url], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const closed = once(child, 'close');
  return {
    put: (entry, sentences) =>
      child.stdin.write(`${JSON.stringify({ ...entry, repeated: SENTENCE, times: sentences })}\n`),
    end: async () => {
      child.stdin.end();
      await closed;
      if (child.exitCode !== 0) throw new Error(`${script} failed: ${errors.join('')}`);
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
  const countObsoleteParts = async (): Promise<number> => {
    const { entries, parts } = searchRecords(database().database);
    const stored = await entries.findOne({ _id: 'document-1' });
    return await parts.countDocuments({ put: { $ne: stored?.put ?? '' } });
  };

  /** Starts a process that puts an entry of many parts, and kills it after it has stored some of them. */
  const putAndKill = async (entry: SearchEntry): Promise<void> => {
    const before = await countParts();
    const child = startPutting(database().url);
    child.put(entry, 200_000);
    while ((await countParts()) < before + 3) await delay(5);
    await child.kill();
    expect(await countParts(), 'remaining parts').to.be.above(before);
  };

  for (const [kind, sentences] of [
    ['short', 1],
    ['long', IN_PARTS],
  ] as const) {
    it(`keeps a ${kind} entry when the process that replaces it is killed, and the next put leaves no parts behind`, async function () {
      this.timeout(120_000);
      const old = aSearchEntry({ documentId: 'document-1', version: 1, text: `old ${SENTENCE.repeat(sentences)}` });
      await database().index.put(old);
      const partsOfOld = await countParts();
      expect(partsOfOld > 0).to.equal(kind === 'long');
      await putAndKill(aSearchEntry({ documentId: 'document-1', version: 2, text: 'new' }));
      expect(await found('old "words that fill" letter')).to.deep.equal(['document-1']);
      expect(await found('new')).to.deep.equal([]);
      expect(await database().index.versionOf('document-1')).to.equal(1);
      await database().index.put({ ...old, version: 2, text: 'newer' });
      expect(await found('old')).to.deep.equal([]);
      expect(await found('newer')).to.deep.equal(['document-1']);
      expect(await countObsoleteParts()).to.equal(0);
    });
  }

  it('has no entry when the process that puts the first version is killed, and remove leaves no parts behind', async function () {
    this.timeout(120_000);
    const { index } = database();
    await putAndKill(aSearchEntry({ documentId: 'document-1', text: 'new' }));
    expect(await found('')).to.deep.equal([]);
    expect(await found('new')).to.deep.equal([]);
    expect(await index.versionOf('document-1')).to.equal(undefined);
    // The cleanup job finds the rest of the put by this scan.
    expect(await index.scan(undefined, 10)).to.deep.equal(['document-1']);
    await index.remove('document-1');
    expect(await index.scan(undefined, 10)).to.deep.equal([]);
    expect(await countParts()).to.equal(0);
  });

  it('always finds an entry while two processes put short and long versions of it, and keeps the highest version', async function () {
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
    while (!state.isOver) {
      for (const q of ['always', 'alw* -absent', '']) {
        expect(await index.search('owner-1', parseSearchQuery(q), WIDE), q).to.deep.equal({
          items: ['document-1'],
          total: 1,
        });
      }
    }
    await ended;
    expect(await index.versionOf('document-1')).to.equal(last);
    expect(await found(`version${last}`)).to.deep.equal(['document-1']);
    expect(await found('version*')).to.deep.equal(['document-1']);
    for (let version = 0; version < last; version++)
      expect(await found(`version${version}`), `version ${version}`).to.deep.equal([]);
    await index.put(entryOf(last));
    expect(await countObsoleteParts()).to.equal(0);
  });
});

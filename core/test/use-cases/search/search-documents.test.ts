import {
  AppError,
  deleteDocument,
  INDEX_JOB,
  indexDocument,
  reviseOcr,
  runIndexJob,
  searchDocuments,
  checkSearchIndex,
  type Actor,
  type JobPayload,
  type PageRequest,
  type Ports,
  type SearchEntry,
} from '@palimpsest/core';
import { MemoryStore, openMemory } from '@palimpsest/memory';
import { expect } from 'chai';
import { ada, aWorld, bob, codeOf, instead, takeJobs } from '../../world.ts';

const WHOLE: PageRequest = { limit: 50, offset: 0 };
const notAborted = new AbortController().signal;

/** The titles on one page of the result, and the total. */
const find = async (
  ports: Ports,
  q: string,
  actor: Actor = ada,
  page = WHOLE,
): Promise<{ total: number; titles: string[] }> => {
  const { total, hits } = await searchDocuments(ports)(actor, q, page);
  const titles: string[] = [];
  for await (const { document } of hits) titles.push(document.title);
  return { total, titles };
};

const found = async (ports: Ports, q: string, actor: Actor = ada): Promise<boolean> =>
  (await find(ports, q, actor)).total === 1;

/** An index entry of a document, without its text. */
const entryIn = async ({ documents }: Ports, id: string): Promise<SearchEntry> => {
  const document = await documents.find(id);
  if (document === undefined || document.status === 'deleting') throw new Error(`no document ${id}`);
  const { ownerId, receivedAt, title, originalFilename: filename } = document;
  return { documentId: id, ownerId, receivedAt, version: 0, title, filename, text: '' };
};

const takeIndexJobs = (ports: Ports): Promise<readonly JobPayload[]> => takeJobs(ports, INDEX_JOB);

describe('searchDocuments', () => {
  it('finds a new document by its names, a completed one by its text, and a revised one by its revision', async () => {
    const world = aWorld();
    const { ports } = world;
    const { id } = await world.upload({ pages: [{ text: 'Wheat from Riga' }, { text: 'second page' }] }, ada, {
      title: 'Bill of lading',
      filename: 'scan-0042.pdf',
    });
    expect([await found(ports, 'lading'), await found(ports, '0042'), await found(ports, 'wheat')]).to.deep.equal([
      true,
      true,
      false,
    ]);
    await world.recognize(await world.claim());
    expect([await found(ports, 'lading'), await found(ports, 'wheat riga page')]).to.deep.equal([true, true]);
    await reviseOcr(ports)(ada, id, 'Rye from Riga');
    expect([await found(ports, 'rye'), await found(ports, 'wheat'), await found(ports, 'lading rye')]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });

  it('finds a failed document by its names', async () => {
    const world = aWorld();
    await world.upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] }, ada, { title: 'Torn receipt' });
    await world.recognize(await world.claim());
    expect(await find(world.ports, 'receipt')).to.deep.equal({ total: 1, titles: ['Torn receipt'] });
  });

  it("finds only the caller's documents", async () => {
    const world = aWorld();
    await world.upload({ pages: [{ text: 'a secret' }] }, bob);
    await world.recognize(await world.claim());
    expect([
      await found(world.ports, 'secret', bob),
      await found(world.ports, 'secret'),
      await found(world.ports, '-nothing'),
    ]).to.deep.equal([true, false, false]);
  });

  it('does not find a deleted document, also while a worker holds it', async () => {
    const world = aWorld();
    const read = await world.upload({ pages: [{ text: 'first' }] }, ada, { title: 'one word' });
    await world.recognize(await world.claim());
    const held = await world.upload({ pages: [{ text: 'second' }] }, ada, { title: 'another word' });
    const work = await world.claim();
    for (const { id } of [read, held]) await deleteDocument(world.ports)(ada, id);
    expect((await find(world.ports, 'word')).total).to.equal(0);
    await world.recognize(work);
    for (const q of ['word', 'second', '-x']) expect((await find(world.ports, q)).total, q).to.equal(0);
  });

  it('shows the matching passage of the current text', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ text: 'old words' }] }, ada, { title: 'Letter' });
    await world.recognize(await world.claim());
    await reviseOcr(world.ports)(ada, id, 'the new\nwords');
    const { hits } = await searchDocuments(world.ports)(ada, 'new', WHOLE);
    for await (const { snippet } of hits)
      expect(snippet).to.deep.equal({ text: 'the new words', highlights: [[4, 7]] });
  });

  it('finds nothing for a query without words', async () => {
    const world = aWorld();
    await world.upload({ pages: [] });
    for (const q of ['"', '*', '-', '()', '???', '-"" *'])
      expect(await find(world.ports, q), q).to.deep.equal({ total: 0, titles: [] });
  });

  it('refuses an empty query, one of more than 500 characters and one of more than 32 words', async () => {
    const { ports } = aWorld();
    for (const q of ['', ' \t', 'x'.repeat(501), Array.from({ length: 33 }, (_, i) => `w${i}`).join(' ')])
      expect(await codeOf(searchDocuments(ports)(ada, q, WHOLE))).to.equal('VALIDATION_ERROR');
  });

  it('returns the pages of a long result, with the total', async () => {
    const world = aWorld();
    for (let i = 0; i < 5; i++) {
      await world.upload({ pages: [] }, ada, { title: `Report ${i}` });
      world.memory.clock.advance(1);
    }
    expect(await find(world.ports, 'report', ada, { limit: 2, offset: 1 })).to.deep.equal({
      total: 5,
      titles: ['Report 3', 'Report 2'],
    });
  });

  it('leaves out a document that is deleted while the hits are read', async () => {
    const world = aWorld();
    for (const title of ['Report 1', 'Report 2']) await world.upload({ pages: [] }, ada, { title });
    const { hits } = await searchDocuments(world.ports)(ada, 'report', WHOLE);
    const titles: string[] = [];
    for await (const { document } of hits) {
      titles.push(document.title);
      for (const { id } of (await world.memory.documents.list('ada', WHOLE)).items)
        await deleteDocument(world.ports)(ada, id);
    }
    expect(titles).to.have.length(1);
  });

  it('continues with the other hits if a document is deleted', async () => {
    const world = aWorld();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push((await world.upload({ pages: [] }, ada, { title: `Report ${i}` })).id);
      world.memory.clock.advance(1);
    }
    const { hits } = await searchDocuments(world.ports)(ada, 'report', WHOLE);
    await deleteDocument(world.ports)(ada, ids[1] ?? '');
    const titles: string[] = [];
    for await (const { document } of hits) titles.push(document.title);
    expect(titles).to.deep.equal(['Report 2', 'Report 0']);
  });

  it('lets other work of the process run while it reads a long text', async () => {
    const world = aWorld();
    await world.upload({ pages: [{ text: `${'a '.repeat(100_000)}whale` }] });
    await world.recognize(await world.claim());
    let pauses = 0;
    const timer = instead(world.ports.timer, {
      wait: async () => {
        pauses++;
      },
    });
    const { hits } = await searchDocuments({ ...world.ports, timer })(ada, 'whale', WHOLE);
    for await (const { snippet } of hits) expect(snippet.highlights).to.have.length(1);
    expect(pauses).to.be.at.least(10);
  });

  it('reads a limited length of text for passages, and shows titles after that', async () => {
    const world = aWorld();
    const pages = { pages: [{ text: 'x' }] };
    for (let i = 0; i < 6; i++) {
      const { id } = await world.upload(pages, ada, { title: 'Title' });
      await world.recognize(await world.claim());
      await reviseOcr(world.ports)(ada, id, 'needle');
    }
    const long = `needle ${'filler '.repeat(700_000)}`;
    const revisions = instead(world.memory.revisions, {
      newest: async () => ({ number: 1, revisedAt: world.memory.clock.now(), text: long }),
    });
    const { hits } = await searchDocuments({ ...world.ports, revisions })(ada, 'needle', WHOLE);
    const shown: boolean[] = [];
    for await (const { snippet } of hits) shown.push(snippet.text.includes('needle'));
    expect(shown).to.have.length(6);
    expect(shown.slice(0, 4)).to.deep.equal([true, true, true, true]);
    expect(shown.at(-1)).to.equal(false);
  });
});

describe('the index entry of a document that is being completed', () => {
  const wheat = { pages: [{ text: 'wheat' }] };

  it('is written before the status is completed, so that a search at that moment finds the text', async () => {
    const memory = openMemory();
    const seen: boolean[] = [];
    const documents = instead(memory.documents, {
      replace: async (next) => {
        const isReplaced = await memory.documents.replace(next);
        if (next.status === 'completed') seen.push(await found(memory, 'wheat'));
        return isReplaced;
      },
    });
    const world = aWorld({ documents }, undefined, memory);
    await world.upload(wheat);
    await world.recognize(await world.claim());
    expect(seen).to.deep.equal([true]);
  });

  it('matches by its names alone until the status is completed', async () => {
    const memory = openMemory();
    const seen: (readonly string[])[] = [];
    const searchIndex = instead(memory.searchIndex, {
      put: async (entry) => {
        await memory.searchIndex.put(entry);
        if (entry.version === 1) for (const q of ['wheat', 'grain']) seen.push((await find(memory, q)).titles);
      },
    });
    const world = aWorld({ searchIndex }, undefined, memory);
    await world.upload(wheat, ada, { title: 'Grain' });
    await world.recognize(await world.claim());
    expect(seen).to.deep.equal([[], ['Grain']]);
  });

  const aCrashBeforeCompletion = async (content: Parameters<ReturnType<typeof aWorld>['upload']>[0]) => {
    const memory = openMemory();
    const world = aWorld({}, undefined, memory);
    const { id } = await world.upload(content, ada, { title: 'Grain' });
    const held = await world.claim();
    const documents = instead(memory.documents, {
      replace: (next) =>
        next.status === 'processing' ? memory.documents.replace(next) : Promise.reject(new Error('the process died')),
    });
    const searchIndex = instead(memory.searchIndex, { remove: () => Promise.reject(new Error('the process died')) });
    await aWorld({ documents, searchIndex }, undefined, memory)
      .recognize(held)
      .catch(() => undefined);
    memory.clock.advance(3_600_000);
    return { memory, world, id };
  };

  it('has no effect on searches for the text if the worker dies before it completes the document', async () => {
    const { memory, world } = await aCrashBeforeCompletion(wheat);
    expect((await find(memory, 'wheat')).titles).to.deep.equal([]);
    expect((await find(memory, 'grain')).titles).to.deep.equal(['Grain']);
    await world.recognize(await world.claim());
    expect(await found(memory, 'wheat')).to.equal(true);
  });

  it('loses its text if a later run of the document fails', async () => {
    const { memory, world, id } = await aCrashBeforeCompletion(wheat);
    await memory.searchIndex.put({ ...(await entryIn(memory, id)), version: 1, text: 'wheat' });
    const blobs = instead(memory.blobs, { get: () => Promise.resolve(undefined) });
    await aWorld({ blobs }, undefined, memory).recognize(await world.claim());
    expect((await world.stored(id)).status).to.equal('failed');
    expect(await memory.searchIndex.versionOf(id)).to.equal(0);
    expect(await find(memory, 'wheat')).to.deep.equal({ total: 0, titles: [] });
    expect(await find(memory, 'grain')).to.deep.equal({ total: 1, titles: ['Grain'] });
  });

  it('is reduced to the names of a failed document by the index job and by the index check', async () => {
    for (const repair of [
      (ports: Ports, id: string) => runIndexJob(ports)({ documentId: id }),
      (ports: Ports) => checkSearchIndex(ports)(notAborted),
    ]) {
      const world = aWorld();
      const { id } = await world.upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] }, ada, { title: 'Grain' });
      await world.recognize(await world.claim());
      await world.memory.searchIndex.put({ ...(await entryIn(world.ports, id)), version: 1, text: 'wheat' });
      await repair(world.ports, id);
      expect(await find(world.ports, 'wheat')).to.deep.equal({ total: 0, titles: [] });
      expect(await found(world.ports, 'grain')).to.equal(true);
    }
  });

  it('is left to the worker by the index job while the document is processing', async () => {
    const { memory, id } = await aCrashBeforeCompletion(wheat);
    expect(await memory.searchIndex.versionOf(id)).to.equal(1);
    await runIndexJob(memory)({ documentId: id });
    expect(await memory.searchIndex.versionOf(id)).to.equal(1);
  });

  it('retries the document and counts no attempt while the index is unavailable', async () => {
    const memory = openMemory();
    const searchIndex = instead(memory.searchIndex, {
      put: (entry) =>
        entry.version === 1
          ? Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'The index is unavailable.'))
          : memory.searchIndex.put(entry),
    });
    const world = aWorld({}, undefined, memory);
    const { id } = await world.upload(wheat);
    expect(await aWorld({ searchIndex }, undefined, memory).recognize(await world.claim())).to.include({
      kind: 'postponed',
    });
    expect((await world.stored(id)).attempts).to.equal(0);
    memory.clock.advance(3_600_000);
    expect(await world.recognize(await world.claim())).to.include({ kind: 'completed' });
    expect(await found(memory, 'wheat')).to.equal(true);
  });

  it('is written by its job if the index fails for another reason: the document is completed nevertheless', async () => {
    const memory = openMemory();
    const searchIndex = instead(memory.searchIndex, {
      put: (entry) => (entry.version === 1 ? Promise.reject(new Error('a bug')) : memory.searchIndex.put(entry)),
    });
    const world = aWorld({ searchIndex }, undefined, memory);
    await world.upload(wheat);
    expect(await world.recognize(await world.claim())).to.include({ kind: 'completed' });
    expect(memory.faults.reports).to.have.length(1);
    memory.clock.advance(60_000);
    for (const payload of await takeIndexJobs(memory)) await runIndexJob(memory)(payload);
    expect(await found(memory, 'wheat')).to.equal(true);
  });

  it('keeps its text if the call that completed the document reported a failure', async () => {
    const memory = openMemory();
    const documents = instead(memory.documents, {
      replace: async (next) => {
        const isReplaced = await memory.documents.replace(next);
        if (next.status === 'completed') throw new Error('the connection was closed');
        return isReplaced;
      },
    });
    const world = aWorld({ documents }, undefined, memory);
    await world.upload(wheat);
    await world.recognize(await world.claim());
    expect(await found(memory, 'wheat')).to.equal(true);
  });

  it('is removed if the document is deleted while its text is indexed', async () => {
    const memory = openMemory();
    const searchIndex = instead(memory.searchIndex, {
      put: async (entry) => {
        await memory.searchIndex.put(entry);
        if (entry.version !== 1) return;
        await deleteDocument(memory)(ada, entry.documentId);
        await memory.searchIndex.put(entry);
      },
    });
    const world = aWorld({ searchIndex }, undefined, memory);
    const { id } = await world.upload(wheat);
    expect(await world.recognize(await world.claim())).to.deep.equal({ kind: 'lost' });
    expect(await memory.searchIndex.versionOf(id)).to.equal(undefined);
  });
});

describe('the search entry of a changed text', () => {
  const aRevised = async (change: (memory: ReturnType<typeof openMemory>) => Partial<Ports>) => {
    const store = new MemoryStore();
    const memory = openMemory(store);
    const world = aWorld(memory, undefined, memory);
    const { id } = await world.upload({ pages: [{ text: 'wheat' }] });
    await world.recognize(await world.claim());
    memory.clock.advance(61_000);
    await takeIndexJobs(memory);
    const revised = reviseOcr({ ...memory, ...change(memory) })(ada, id, 'rye');
    return {
      memory,
      id,
      error: await revised.then(
        () => undefined,
        (error: unknown) => error,
      ),
    };
  };

  it('is updated by a job if the process died after the change', async () => {
    const died = new Error('the process died');
    const { memory, id, error } = await aRevised(({ searchIndex }) => ({
      searchIndex: instead(searchIndex, { put: () => Promise.reject(died) }),
    }));
    expect(error).to.equal(undefined);
    expect(memory.faults.reports).to.have.length(1);
    expect([await found(memory, 'wheat'), await found(memory, 'rye')]).to.deep.equal([true, false]);
    memory.clock.advance(60_000);
    const jobs = await takeIndexJobs(memory);
    expect(jobs).to.deep.equal([{ documentId: id }]);
    for (const payload of jobs) await runIndexJob(memory)(payload);
    expect([await found(memory, 'wheat'), await found(memory, 'rye')]).to.deep.equal([false, true]);
  });

  it('is not changed if its job cannot be added, and neither is the text', async () => {
    const noQueue = new Error('no queue');
    const { memory, id, error } = await aRevised(({ jobs }) => ({
      jobs: instead(jobs, { enqueue: () => Promise.reject(noQueue) }),
    }));
    expect(error).to.equal(noQueue);
    expect(await memory.revisions.list(id)).to.deep.equal([]);
    expect([await found(memory, 'wheat'), await found(memory, 'rye')]).to.deep.equal([true, false]);
  });

  it('is never replaced by an older text, also if an update is slow', async () => {
    const world = aWorld();
    const { ports, memory } = world;
    const { id } = await world.upload({ pages: [{ text: 'wheat' }] });
    await world.recognize(await world.claim());
    const { promise: proceed, resolve } = Promise.withResolvers<void>();
    const slow = instead(memory.searchIndex, {
      put: async (entry) => {
        await proceed;
        await memory.searchIndex.put(entry);
      },
    });
    const first = reviseOcr({ ...ports, searchIndex: slow })(ada, id, 'rye');
    while ((await memory.revisions.newest(id)) === undefined) await Promise.resolve();
    await reviseOcr(ports)(ada, id, 'oats');
    resolve();
    await first;
    expect([await found(ports, 'oats'), await found(ports, 'rye'), await found(ports, 'wheat')]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('is removed if the document is deleted while it is indexed', async () => {
    const world = aWorld();
    const { ports, memory } = world;
    const { id } = await world.upload({ pages: [{ text: 'wheat' }] }, ada, { title: 'Grain' });
    await world.recognize(await world.claim());
    const deleting = instead(memory.searchIndex, {
      put: async (entry) => {
        await deleteDocument(ports)(ada, id);
        await memory.searchIndex.put(entry);
      },
    });
    await indexDocument({ ...ports, searchIndex: deleting })(id);
    expect(await memory.searchIndex.versionOf(id)).to.equal(undefined);
  });

  it('is created by the worker if the upload was interrupted before it', async () => {
    const world = aWorld();
    const broken = instead(world.memory.searchIndex, { put: () => Promise.reject(new Error('the process died')) });
    await aWorld({ ...world.memory, searchIndex: broken }).upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] }, ada, {
      title: 'Grain',
    });
    expect(await found(world.ports, 'grain')).to.equal(false);
    await world.recognize(await world.claim());
    expect(await found(world.ports, 'grain')).to.equal(true);
  });

  it('is created by checkSearchIndex for documents without an entry, and for no others', async () => {
    const world = aWorld();
    const { ports, memory } = world;
    const ids: string[] = [];
    for (let i = 0; i < 230; i++)
      ids.push((await world.upload({ pages: [] }, i % 2 === 0 ? ada : bob, { title: 'Grain' })).id);
    const missing = ids.filter((_, i) => i % 3 === 0);
    for (const id of missing) await memory.searchIndex.remove(id);
    let puts = 0;
    const counted = instead(memory.searchIndex, { put: (entry) => (puts++, memory.searchIndex.put(entry)) });
    expect(await checkSearchIndex({ ...ports, searchIndex: counted })(notAborted)).to.deep.equal({
      indexed: missing.length,
      removed: 0,
    });
    expect(puts).to.equal(missing.length);
    expect((await find(ports, 'grain')).total + (await find(ports, 'grain', bob)).total).to.equal(230);
    expect(await checkSearchIndex(ports)(notAborted)).to.deep.equal({ indexed: 0, removed: 0 });
  });

  it('is not changed by checkSearchIndex after the worker stops', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [] });
    await world.memory.searchIndex.remove(id);
    expect(await checkSearchIndex(world.ports)(AbortSignal.abort())).to.deep.equal({ indexed: 0, removed: 0 });
    expect(await world.memory.searchIndex.versionOf(id)).to.equal(undefined);
  });

  it('is created by checkSearchIndex for the other documents if one fails, which is reported', async () => {
    const world = aWorld();
    const { ports, memory } = world;
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await world.upload({ pages: [] }, ada, { title: 'Grain' })).id);
    for (const id of ids) await memory.searchIndex.remove(id);
    const broken = instead(memory.searchIndex, {
      put: (entry) =>
        entry.documentId === ids[1] ? Promise.reject(new Error('broken')) : memory.searchIndex.put(entry),
    });
    expect(await checkSearchIndex({ ...ports, searchIndex: broken })(notAborted)).to.deep.equal({
      indexed: 2,
      removed: 0,
    });
    expect(memory.faults.reports).to.have.length(1);
  });

  it('is removed by checkSearchIndex if its document does not exist any more', async () => {
    const world = aWorld();
    const { ports, memory } = world;
    const kept = await world.upload({ pages: [] }, ada, { title: 'Grain' });
    const gone = await world.upload({ pages: [] }, ada, { title: 'Grain' });
    const died = new Error('the process died');
    const dying = instead(memory.searchIndex, {
      put: async (entry) => {
        await deleteDocument(ports)(ada, gone.id);
        await memory.searchIndex.put(entry);
        throw died;
      },
    });
    expect(await indexDocument({ ...ports, searchIndex: dying })(gone.id).catch((error: unknown) => error)).to.equal(
      died,
    );
    expect((await find(ports, 'grain')).total).to.equal(2);
    expect(await checkSearchIndex(ports)(notAborted)).to.deep.equal({ indexed: 0, removed: 1 });
    expect((await find(ports, 'grain')).total).to.equal(1);
    expect(await memory.searchIndex.versionOf(kept.id)).to.equal(0);
  });

  it('is not written again by its job if it is up to date', async () => {
    const world = aWorld();
    const { ports, memory } = world;
    const { id } = await world.upload({ pages: [{ text: 'wheat' }] });
    await world.recognize(await world.claim());
    await reviseOcr(ports)(ada, id, 'rye');
    let puts = 0;
    const counted = instead(memory.searchIndex, { put: (entry) => (puts++, memory.searchIndex.put(entry)) });
    await runIndexJob({ ...ports, searchIndex: counted })({ documentId: id });
    expect(puts).to.equal(0);
    await memory.searchIndex.remove(id);
    await runIndexJob({ ...ports, searchIndex: counted })({ documentId: id });
    expect(puts).to.equal(1);
    await deleteDocument(ports)(ada, id);
    await memory.searchIndex.put({
      documentId: id,
      ownerId: 'ada',
      receivedAt: 0,
      version: 9,
      title: 'x',
      filename: 'x',
      text: 'x',
    });
    await runIndexJob(ports)({ documentId: id });
    expect(await memory.searchIndex.versionOf(id)).to.equal(undefined);
  });
});

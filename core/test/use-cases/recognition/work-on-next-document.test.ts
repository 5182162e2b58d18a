import {
  deleteDocument,
  workOnNextDocument,
  workUntilIdle,
  type DocumentRepository,
  type OcrEngine,
} from '@palimpsest/core';
import { MemoryOcrEngine } from '@palimpsest/memory';
import { expect } from 'chai';
import { ada, aWorld, instead, settings, times } from '../../world.ts';

const notAborted = new AbortController().signal;
const LEASE_MS = settings.leaseMs;
const HEARTBEAT_MS = LEASE_MS / 3;

/** An engine that records what it reads, and waits in `during` before it answers. */
const engineWith = (during: (text: string, aborted: Promise<unknown>) => Promise<void>) => {
  const engine = new MemoryOcrEngine();
  const reads: string[] = [];
  const recording: OcrEngine = instead<OcrEngine>(engine, {
    recognize: async (image, request, signal) => {
      const page = await engine.recognize(image, request, signal);
      reads.push(page.text);
      const aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
      await during(page.text, aborted);
      signal.throwIfAborted();
      return page;
    },
  });
  return { reads, engine: recording };
};

/** A document repository with a promise that resolves when the next change of a document has been stored. */
const observed = (documents: DocumentRepository) => {
  let stored = Promise.withResolvers<void>();
  const repository = instead(documents, {
    replace: async (next) => {
      const isStored = await documents.replace(next);
      stored.resolve();
      stored = Promise.withResolvers<void>();
      return isStored;
    },
  });
  return { repository, nextChange: (): Promise<void> => stored.promise };
};

describe('workOnNextDocument', () => {
  it('returns undefined if no document is due', async () => {
    expect(await workOnNextDocument(aWorld().ports, settings)(notAborted)).to.equal(undefined);
  });

  it('claims the next document, completes it and returns the outcome', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ text: 'one' }, { text: 'two' }] });
    const claimed: string[] = [];
    const worked = await workOnNextDocument(world.ports, settings)(notAborted, (document) => claimed.push(document.id));
    expect(worked?.document).to.include({ id, status: 'processing', attempts: 1 });
    expect(worked?.outcome).to.deep.equal({ kind: 'completed', pageCount: 2 });
    expect(claimed).to.deep.equal([id]);
    expect((await world.stored(id)).status).to.equal('completed');
  });

  it('reads a page that takes ten times as long as the lease only once, and completes the document', async () => {
    const world = aWorld();
    const { repository, nextChange } = observed(world.memory.documents);
    const rival = workOnNextDocument(world.ports, settings);
    const { engine, reads } = engineWith(async () => {
      for (let i = 0; i < 30; i++) {
        const renewed = nextChange();
        world.memory.clock.advance(HEARTBEAT_MS);
        await renewed;
        expect(await rival(notAborted)).to.equal(undefined);
      }
    });
    const { id } = await world.upload({ pages: [{ text: 'slow' }] });
    const ports = { ...world.ports, documents: repository, ocrEngine: engine };
    const worked = await workOnNextDocument(ports, settings)(notAborted);
    expect(worked?.outcome.kind).to.equal('completed');
    expect(reads).to.deep.equal(['slow']);
    expect(await world.stored(id)).to.include({ status: 'completed', attempts: 1 });
  });

  it('stops the work and stores nothing when another worker has claimed the document', async () => {
    const world = aWorld();
    const rival = workOnNextDocument(world.ports, settings);
    const { engine, reads } = engineWith(async (_text, aborted) => {
      // The process is suspended for longer than the lease: no heartbeat renews it before the rival claims the document.
      const { lease } = await world.held();
      world.memory.clock.set(lease.expiresAt);
      expect((await rival(notAborted))?.outcome.kind).to.equal('completed');
      expect(await aborted).to.have.property('code', 'LEASE_LOST');
    });
    const { id } = await world.upload({ pages: [{ text: 'first' }, { text: 'second' }] });
    const worked = await workOnNextDocument(
      { ...world.ports, ocrEngine: engine },
      { ...settings, pagesAtOnce: 1 },
    )(notAborted);
    expect(worked?.outcome.kind).to.equal('lost');
    expect(reads, 'pages read by the worker that lost the lease').to.deep.equal(['first']);
    expect(await world.stored(id)).to.include({ status: 'completed', attempts: 2 });
  });

  it('stops the work when the document is deleted, and leaves no data of it', async () => {
    const world = aWorld();
    const { engine } = engineWith(async (_text, aborted) => {
      await deleteDocument(world.ports)(ada, id);
      world.memory.clock.advance(HEARTBEAT_MS);
      await aborted;
    });
    const { id, blobKey } = await world.upload({ pages: [{ text: 'first' }] });
    const worked = await workOnNextDocument({ ...world.ports, ocrEngine: engine }, settings)(notAborted);
    expect(worked?.outcome.kind).to.equal('lost');
    expect(await world.memory.documents.find(id)).to.equal(undefined);
    expect(await world.memory.blobs.stat(blobKey)).to.equal(undefined);
  });

  it('reports a heartbeat that fails, and tries again with the next one', async () => {
    const world = aWorld();
    const { repository, nextChange } = observed(world.memory.documents);
    let isDown = false;
    const reported = Promise.withResolvers<string>();
    const faults = { report: (_error: unknown, doing: string) => reported.resolve(doing) };
    const documents = instead(repository, {
      find: (id) => (isDown ? Promise.reject(new Error('no connection')) : repository.find(id)),
    });
    const { engine } = engineWith(async () => {
      isDown = true;
      world.memory.clock.advance(HEARTBEAT_MS);
      await reported.promise;
      isDown = false;
      const renewed = nextChange();
      world.memory.clock.advance(HEARTBEAT_MS);
      await renewed;
      world.memory.clock.advance(HEARTBEAT_MS);
    });
    await world.upload({ pages: [{ text: 'x' }] });
    const worked = await workOnNextDocument(
      { ...world.ports, documents, faults, ocrEngine: engine },
      settings,
    )(notAborted);
    expect(worked?.outcome.kind).to.equal('completed');
    expect(await reported.promise).to.match(/^renewing the lease of document /);
  });

  it('releases the document when the signal aborts', async () => {
    const world = aWorld();
    const stop = new AbortController();
    const { engine } = engineWith(async () => stop.abort(new Error('shutdown')));
    const { id } = await world.upload({ pages: [{ text: 'x' }] });
    const worked = await workOnNextDocument({ ...world.ports, ocrEngine: engine }, settings)(stop.signal);
    expect(worked?.outcome).to.deep.equal({ kind: 'released', retryAt: world.memory.clock.now() });
    expect(await world.stored(id)).to.include({ status: 'queued', attempts: 0 });
  });

  it('recognizes at most pagesAtOnce pages at a time, of all documents together', async () => {
    const world = aWorld();
    let running = 0;
    let most = 0;
    const { engine } = engineWith(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
    for (let i = 0; i < 3; i++) await world.upload({ pages: times(4, (page) => ({ text: `${i} ${page}` })) });
    const work = workOnNextDocument({ ...world.ports, ocrEngine: engine }, { ...settings, pagesAtOnce: 2 });
    await Promise.all(times(3, () => work(notAborted)));
    expect(most).to.equal(2);
  });
});

describe('workUntilIdle', () => {
  it('completes each of ten documents once when two callers work on one queue', async () => {
    const world = aWorld();
    const { engine, reads } = engineWith(() => new Promise((resolve) => setImmediate(resolve)));
    const ids: string[] = [];
    for (let i = 0; i < 10; i++) ids.push((await world.upload({ pages: [{ text: `p${i}` }] })).id);
    const work = () =>
      workUntilIdle({ ...world.ports, ocrEngine: engine }, { ...settings, documentsAtOnce: 2 })(notAborted);
    const worked = (await Promise.all([work(), work()])).flat();
    expect(worked.map(({ document }) => document.id).toSorted()).to.deep.equal(ids.toSorted());
    expect(new Set(worked.map(({ outcome }) => outcome.kind))).to.deep.equal(new Set(['completed']));
    expect(reads.toSorted()).to.deep.equal(times(10, (i) => `p${i}`));
  });

  it('works on at most documentsAtOnce documents at a time', async () => {
    const world = aWorld();
    let most = 0;
    const { engine } = engineWith(async () => {
      const { items } = await world.memory.documents.list(ada.accountId, { limit: 50, offset: 0 });
      most = Math.max(most, items.filter(({ status }) => status === 'processing').length);
    });
    for (let i = 0; i < 9; i++) await world.upload({ pages: [{ text: 'x' }] });
    const ports = { ...world.ports, ocrEngine: engine };
    expect(await workUntilIdle(ports, { ...settings, documentsAtOnce: 3 })(notAborted)).to.have.length(9);
    expect(most).to.equal(3);
  });

  it('does not wait for a document that was postponed', async () => {
    const world = aWorld();
    await world.upload({ pages: [{ fault: 'ENGINE_CRASHED' }] });
    const worked = await workUntilIdle(world.ports, { ...settings, documentsAtOnce: 1 })(notAborted);
    expect(worked.map(({ outcome }) => outcome.kind)).to.deep.equal(['postponed']);
  });

  it('claims no further document after its signal is aborted', async () => {
    const world = aWorld();
    const stop = new AbortController();
    const { engine } = engineWith(async () => stop.abort(new Error('shutdown')));
    for (let i = 0; i < 3; i++) await world.upload({ pages: [{ text: 'x' }] });
    const ports = { ...world.ports, ocrEngine: engine };
    const worked = await workUntilIdle(ports, { ...settings, documentsAtOnce: 1 })(stop.signal);
    expect(worked.map(({ outcome }) => outcome.kind)).to.deep.equal(['released']);
  });

  it('throws if the store cannot be reached', async () => {
    const world = aWorld();
    const documents = instead(world.memory.documents, { nextClaimable: () => Promise.reject(new Error('no store')) });
    const work = workUntilIdle({ ...world.ports, documents }, { ...settings, documentsAtOnce: 2 });
    expect(String(await work(notAborted).catch((error: unknown) => error))).to.equal('Error: no store');
  });
});

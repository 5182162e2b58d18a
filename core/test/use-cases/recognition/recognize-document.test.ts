import { expect } from 'chai';
import {
  AppError,
  defaultWorkRules,
  deleteDocument,
  getDocument,
  INTERRUPTED_MESSAGE,
  MAX_TEXT_LENGTH,
  type ErrorCode,
  type OcrEngine,
} from '@palimpsest/core';
import { MemoryOcrEngine } from '@palimpsest/memory';
import { recognizeDocument } from '../../../src/use-cases/recognition/recognize-document.ts';
import { ada, aWorld, codeOf, instead, settings } from '../../world.ts';

const LONG = 'a text layer with more than twenty letters in it';

/** An engine that calls `before` with the text of each page before it returns the page. */
const engineThat = (before: (text: string) => void | Promise<void>): OcrEngine => {
  const engine = new MemoryOcrEngine();
  return {
    name: engine.name,
    supports: (language) => engine.supports(language),
    detectOrientation: (...given) => engine.detectOrientation(...given),
    recognize: async (...given) => {
      const page = await engine.recognize(...given);
      await before(page.text);
      return page;
    },
  };
};

describe('recognizeDocument', () => {
  it('completes the document with the text of its pages, separated by form feeds', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ text: 'one' }, { text: 'two\fhalf' }, { text: '' }] });
    expect(await world.recognize(await world.claim())).to.deep.equal({ kind: 'completed', pageCount: 3 });
    const { document, ocr } = await getDocument(world.ports)(ada, id);
    expect(document).to.include({ status: 'completed', attempts: 1 });
    expect(ocr).to.include({ engine: 'memory', language: 'eng', text: 'one\ftwo\nhalf\f' });
  });

  it('reads a good text layer, and names the engine of recognized pages', async () => {
    const world = aWorld();
    const mixed = await world.upload({
      pages: [
        { text: 'seen', layer: LONG },
        { text: 'seen', layer: 'no' },
      ],
    });
    await world.recognize(await world.claim());
    expect((await getDocument(world.ports)(ada, mixed.id)).ocr).to.include({ engine: 'memory', text: `${LONG}\fseen` });
    const digital = await world.upload({ pages: [{ text: 'seen', layer: LONG }] });
    await world.recognize(await world.claim());
    expect((await getDocument(world.ports)(ada, digital.id)).ocr).to.include({ engine: 'pdf-text', text: LONG });
  });

  it('recognizes every page if the settings ignore text layers', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ text: 'seen', layer: LONG }] });
    await world.recognize(await world.claim(), undefined, { ...settings, textLayer: 'ignore' });
    expect((await getDocument(world.ports)(ada, id)).ocr).to.include({ engine: 'memory', text: 'seen' });
  });

  for (const code of [
    'DOCUMENT_ENCRYPTED',
    'DOCUMENT_DAMAGED',
    'DOCUMENT_WITHOUT_PAGES',
    'PAGE_TOO_LARGE',
  ] satisfies ErrorCode[]) {
    it(`fails the document at once for ${code}, with the reason for its owner`, async () => {
      const world = aWorld();
      const { id } = await world.upload({ pages: [{ text: 'x' }], fault: code });
      expect(await world.recognize(await world.claim())).to.include({ kind: 'failed' });
      expect(await world.stored(id)).to.include({
        status: 'failed',
        errorMessage: `The toy file has the fault ${code}.`,
      });
    });
  }

  it('fails a document with more pages than the limit', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{}, {}, {}] });
    await world.recognize(await world.claim(), undefined, { ...settings, maxPages: 2 });
    const stored = await world.stored(id);
    expect(stored.status === 'failed' && stored.errorMessage)
      .to.include('3 pages')
      .and.include('2');
  });

  it('retries a page over its limits once, and keeps the pages that were read', async () => {
    const reads: string[] = [];
    const ocrEngine = engineThat((text) => void reads.push(text));
    const world = aWorld({ ocrEngine });
    const { id } = await world.upload({ pages: [{ text: 'fine' }, { text: 'slow', fault: 'PAGE_TIMED_OUT' }] });
    const outcome = await world.recognize(await world.claim());
    const firstReads = reads.splice(0);
    expect(firstReads).to.include('fine');
    expect(outcome.kind).to.equal('postponed');
    expect((await world.stored(id)).status).to.equal('queued');
    const second = await world.recognize(await world.claim());
    expect(second.kind).to.equal('failed');
    expect(await world.stored(id)).to.include({ status: 'failed', attempts: 2 });
    expect(reads, 'pages read again').to.deep.equal([]);
  });

  it('fails a document whose pages take longer than the limit, after one retry', async () => {
    const world = aWorld();
    const slow = engineThat(() => world.memory.clock.advance(200));
    const slowWorld = { ...settings, documentTimeoutMs: 500, pagesAtOnce: 1 };
    const { id } = await world.upload({ pages: Array.from({ length: 10 }, (_, i) => ({ text: `page ${i}` })) });
    const recognize = recognizeDocument({ ...world.ports, ocrEngine: slow }, slowWorld);
    expect((await recognize(await world.claim(), new AbortController().signal)).kind).to.equal('postponed');
    expect((await recognize(await world.claim(), new AbortController().signal)).kind).to.equal('failed');
    const stored = await world.stored(id);
    expect(stored.status === 'failed' && stored.errorMessage).to.include('longer than');
  });

  it('retries the document with growing delays and counts no attempt if a store is unavailable', async () => {
    const world = aWorld({});
    const { id } = await world.upload({ pages: [{ text: 'x' }] });
    const broken = aWorld().ports.blobs;
    const ports = {
      ...world.ports,
      blobs: { ...broken, get: () => Promise.reject(new Error('ECONNREFUSED')) } as never,
    };
    const delays: number[] = [];
    for (let i = 0; i < 8; i++) {
      const held = await world.claim();
      const outcome = await recognizeDocument(ports, settings)(held, new AbortController().signal);
      if (outcome.kind !== 'postponed') throw new Error(outcome.kind);
      delays.push((outcome.retryAt - world.memory.clock.now()) / 1000);
      expect(await world.stored(id)).to.include({ status: 'queued', attempts: 0 });
      world.memory.clock.set(outcome.retryAt);
    }
    expect(delays).to.deep.equal([5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
    expect((await world.recognize(await world.claim())).kind).to.equal('completed');
  });

  it('counts an attempt when the engine crashes, and fails the document when all are used', async () => {
    const world = aWorld({
      ocrEngine: engineThat(() => Promise.reject(new AppError('ENGINE_CRASHED', 'The engine died.'))),
    });
    const { id } = await world.upload({ pages: [{ text: 'x' }] });
    for (let attempt = 1; attempt < defaultWorkRules.maxAttempts; attempt++) {
      const outcome = await world.recognize(await world.claim());
      if (outcome.kind !== 'postponed') throw new Error(outcome.kind);
      world.memory.clock.set(outcome.retryAt);
    }
    expect((await world.recognize(await world.claim())).kind).to.equal('failed');
    expect(await world.stored(id)).to.include({ status: 'failed', attempts: 5 });
  });

  it('fails the document after repeated unknown errors, and does not show them to the owner', async () => {
    const world = aWorld({ ocrEngine: engineThat(() => Promise.reject(new TypeError('x is not a function'))) });
    const { id } = await world.upload({ pages: [{ text: 'x' }] });
    for (let attempt = 1; attempt <= defaultWorkRules.maxAttempts; attempt++) {
      await world.recognize(await world.claim());
      world.memory.clock.advance(600_000);
    }
    const stored = await world.stored(id);
    expect(stored.status === 'failed' && stored.errorMessage).to.match(/^The text of this document could not be read/);
  });

  it('fails a document whose stored file is missing or changed', async () => {
    const world = aWorld();
    const missing = await world.upload({ pages: [{ text: 'x' }] });
    await world.memory.blobs.delete(missing.blobKey);
    await world.recognize(await world.claim());
    expect((await world.stored(missing.id)).status).to.equal('failed');
    const changed = await world.upload({ pages: [{ text: 'x' }] });
    await world.memory.blobs.delete(changed.blobKey);
    await world.memory.blobs.put(
      changed.blobKey,
      (async function* () {
        yield new Uint8Array(changed.byteSize);
      })(),
    );
    expect(await world.recognize(await world.claim())).to.have.nested.property('fault.code', 'SOURCE_CHANGED');
  });

  it('releases the document when the worker stops, and keeps the pages that were read', async () => {
    const stop = new AbortController();
    const reads = new Set<string>();
    const ocrEngine = engineThat((text) => {
      reads.add(text);
      if (text === 'page 2') stop.abort(new Error('shutting down'));
    });
    const world = aWorld({ ocrEngine });
    const { id } = await world.upload({ pages: Array.from({ length: 6 }, (_, i) => ({ text: `page ${i}` })) });
    const outcome = await world.recognize(await world.claim(), stop.signal, { ...settings, pagesAtOnce: 1 });
    expect(outcome).to.include({ kind: 'released', retryAt: world.memory.clock.now() });
    expect(await world.stored(id)).to.include({ status: 'queued', attempts: 0 });
    reads.clear();
    expect((await world.recognize(await world.claim())).kind).to.equal('completed');
    expect([...reads].toSorted(), 'pages read by the next worker').to.deep.equal([
      'page 2',
      'page 3',
      'page 4',
      'page 5',
    ]);
    expect((await getDocument(world.ports)(ada, id)).ocr?.text.split('\f')).to.deep.equal(
      Array.from({ length: 6 }, (_, i) => `page ${i}`),
    );
  });

  it('stores nothing after another worker has claimed the document', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ text: 'x' }] });
    const first = await world.claim();
    world.memory.clock.set(first.lease.expiresAt);
    const second = await world.claim();
    expect((await world.recognize(first)).kind).to.equal('lost');
    expect(await world.stored(id)).to.deep.equal(second);
    expect((await world.recognize(second)).kind).to.equal('completed');
    expect((await world.recognize(first)).kind).to.equal('lost');
    expect(await world.stored(id)).to.include({ status: 'completed', attempts: 2, run: second.run });
  });

  it('stops when the document is deleted meanwhile, and leaves no data', async () => {
    const world = aWorld();
    const ocrEngine = engineThat((text) => (text === 'b' ? deleteDocument(world.ports)(ada, document.id) : undefined));
    const document = await world.upload({ pages: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] });
    const held = await world.claim();
    const outcome = await recognizeDocument({ ...world.ports, ocrEngine }, settings)(
      held,
      new AbortController().signal,
    );
    expect(outcome.kind).to.equal('lost');
    expect(await world.memory.documents.find(document.id)).to.equal(undefined);
    expect(await world.memory.pages.list(document.id, held.run)).to.deep.equal([]);
    expect(await world.memory.blobs.get(document.blobKey)).to.equal(undefined);
  });
});

describe('claimDocument', () => {
  it('counts the attempt at the claim, so that a document that kills its workers fails in the end', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ text: 'x' }] });
    for (let attempt = 1; attempt <= 5; attempt++) {
      const held = await world.claim();
      expect(held.attempts).to.equal(attempt);
      world.memory.clock.set(held.lease.expiresAt);
    }
    expect(await codeOf(world.claim())).to.be.instanceOf(Error);
    expect(await world.stored(id)).to.include({ status: 'failed', errorMessage: INTERRUPTED_MESSAGE });
    expect(world.memory.faults.reports.map(({ doing }) => doing)).to.deep.equal([
      `claiming document ${id}, whose attempts are all used; it failed`,
    ]);
  });

  it('gives each document to one of many concurrent workers', async () => {
    const world = aWorld();
    for (let i = 0; i < 10; i++) await world.upload({ pages: [{ text: 'x' }] }, { accountId: `user ${i % 3}` });
    const claimed = await Promise.all(Array.from({ length: 10 }, () => world.claim()));
    expect(new Set(claimed.map(({ id }) => id)).size).to.equal(10);
  });
});

describe('a document with more text than the limit', () => {
  it('fails with a sentence for its owner', async () => {
    const { memory } = aWorld();
    const tooLong = 'x'.repeat(MAX_TEXT_LENGTH / 2 + 1);
    const pages = instead(memory.pages, {
      list: async (id, run) => (await memory.pages.list(id, run)).map((page) => ({ ...page, text: tooLong })),
    });
    const world = aWorld({ pages }, undefined, memory);
    const { id } = await world.upload({ pages: [{ text: 'a' }, { text: 'b' }] });
    expect((await world.recognize(await world.claim())).kind).to.equal('failed');
    const document = await world.stored(id);
    expect(document.status === 'failed' && document.errorMessage).to.match(/more text than the service can store/);
  });
});

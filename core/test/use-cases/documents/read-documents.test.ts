import {
  deleteDocument,
  diffRevisions,
  documentProgress,
  exportDocument,
  listPages,
  listRevisions,
  listWords,
  makeSearchablePdf,
  renderPage,
  reprocessDocument,
  RECOGNIZE_JOB,
  reviseOcr,
  uploadDocument,
  type Actor,
  type Ports,
  type Revision,
} from '@palimpsest/core';
import { readToyExport, readToyFile, toyFile, type ToyContent } from '@palimpsest/memory';
import { expect } from 'chai';
import { ada, aWorld, bob, codeOf, instead, tally, times, viewSettings } from '../../world.ts';

const going = new AbortController().signal;
const TWO_PAGES: ToyContent = {
  pages: [{ text: 'one two' }, { layer: 'this page has a layer of its own', text: 'seen' }],
};

const aRead = async (content: ToyContent = TWO_PAGES) => {
  const world = aWorld();
  const { id } = await world.upload(content, ada, { title: 'A: letter/1' });
  await world.recognize(await world.claim());
  return { ...world, id };
};

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

/** Everything that can be asked about a document that was read. */
const reads = (ports: Ports): Readonly<Record<string, (actor: Actor, id: string) => Promise<unknown>>> => ({
  pages: listPages(ports),
  'page image': (actor, id) => renderPage(ports, viewSettings())(actor, id, 1),
  words: (actor, id) => listWords(ports)(actor, id, 1),
  export: (actor, id) => exportDocument(ports)(actor, id, 'docx', true),
  'searchable PDF': makeSearchablePdf(ports, viewSettings()),
  revisions: listRevisions(ports),
  comparison: (actor, id) => diffRevisions(ports, viewSettings())(actor, id, 0, undefined, going),
});

describe('a completed document', () => {
  it('can be read only by its owner, and not before it is completed', async () => {
    const world = aWorld();
    const { id } = await world.upload(TWO_PAGES);
    for (const [name, read] of Object.entries(reads(world.ports))) {
      expect(await codeOf(read(ada, id)), name).to.equal('DOCUMENT_NOT_COMPLETED');
      for (const [actor, which] of [
        [bob, id],
        [ada, id.toUpperCase()],
        [ada, '__proto__'],
      ] as const) {
        expect(await codeOf(read(actor, which)), name).to.equal('DOCUMENT_NOT_FOUND');
      }
    }
  });

  it('has pages without their words, and words of each page', async () => {
    const { ports, id } = await aRead();
    const pages = await listPages(ports)(ada, id);
    expect(pages.map(({ number, source }) => [number, source])).to.deep.equal([
      [1, 'ocr'],
      [2, 'text_layer'],
    ]);
    expect(pages[0]).not.to.have.property('words');
    expect((await listWords(ports)(ada, id, 1)).map(({ text }) => text)).to.deep.equal(['one', 'two']);
    for (const number of [0, 3, -1, 1.5, Number.NaN]) {
      expect(await codeOf(listWords(ports)(ada, id, number))).to.equal('PAGE_NOT_FOUND');
      expect(await codeOf(renderPage(ports, viewSettings())(ada, id, number))).to.equal('PAGE_NOT_FOUND');
    }
  });
});

describe('renderPage', () => {
  const look = async (
    { ports, id }: Awaited<ReturnType<typeof aRead>>,
    number = 1,
    change: Partial<Ports> = {},
  ): Promise<Uint8Array> => {
    const image = await renderPage({ ...ports, ...change }, viewSettings())(ada, id, number);
    return image.render(going);
  };

  it('renders the page that was recognized', async () => {
    const world = await aRead();
    expect(readToyFile(await look(world, 1))).to.deep.equal([{ text: 'one two' }]);
    expect(readToyFile(await look(world, 2))).to.deep.equal([{ text: 'seen' }]);
  });

  it('turns the image upright and scales it to the pixels of the words', async () => {
    const world = await aRead();
    const stored = await world.stored(world.id);
    if (stored.status !== 'completed') throw new Error(stored.status);
    const [page] = await world.memory.pages.list(stored.id, stored.run);
    if (page === undefined) throw new Error('no page');
    const steps: unknown[] = [];
    const imagePreparer = instead(world.memory.imagePreparer, {
      prepare: async (image, given) => (steps.push(...given), image),
    });
    for (const recognized of [
      { ...page, rotation: 180 },
      { ...page, height: page.height * 2 },
      { ...page, rotation: 90, width: page.height, height: page.width },
    ] as const) {
      const pages = instead(world.memory.pages, { list: async () => [recognized] });
      await look(world, 1, { imagePreparer, pages });
    }
    expect(steps).to.deep.equal([
      { kind: 'turn', degrees: 180 },
      { kind: 'scale', height: page.height * 2 },
      { kind: 'turn', degrees: 90 },
    ]);
  });

  it('throws errors for the viewer if the file is removed, changed or cannot be rendered', async () => {
    const world = await aRead();
    const stored = await world.stored(world.id);
    for (const [code, fault] of [
      ['DOCUMENT_DAMAGED', 'PAGE_NOT_RENDERABLE'],
      ['PAGE_TIMED_OUT', 'PAGE_NOT_RENDERABLE'],
      ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
    ] as const) {
      const file = toyFile({ pages: [{ fault: code }] });
      await world.memory.blobs.delete(stored.blobKey);
      await world.memory.blobs.put(
        stored.blobKey,
        (async function* () {
          yield file;
        })(),
      );
      const checksum = world.memory.checksums.sha256();
      checksum.update(file);
      const changed = { ...stored, byteSize: file.length, sha256: checksum.hex() };
      const documents = instead(world.memory.documents, { find: async () => changed });
      expect(await codeOf(look(world, 1, { documents }))).to.equal(fault);
    }
    expect(await codeOf(look(world)), 'another file than was uploaded').to.equal('FILE_NOT_STORED');
    await world.memory.blobs.delete(stored.blobKey);
    expect(await codeOf(look(world))).to.equal('FILE_NOT_STORED');
    const image = await renderPage(world.ports, viewSettings())(ada, world.id, 1);
    await deleteDocument(world.ports)(ada, world.id);
    expect(await codeOf(image.render(going)), 'deleted meanwhile').to.equal('DOCUMENT_NOT_FOUND');
  });

  it('closes the opened document, also after an error', async () => {
    const world = await aRead();
    let open = 0;
    const rasterizers = world.memory.rasterizers.map((rasterizer) => ({
      ...rasterizer,
      mediaTypes: rasterizer.mediaTypes,
      open: async (...given: Parameters<typeof rasterizer.open>) => {
        open++;
        const document = await rasterizer.open(...given);
        return { ...document, close: async () => void open-- };
      },
    }));
    await look(world, 1, { rasterizers });
    const tooLarge = { ...viewSettings(), maxPixels: 1 };
    const image = await renderPage({ ...world.ports, rasterizers }, tooLarge)(ada, world.id, 1);
    expect(await codeOf(image.render(going))).to.equal('PAGE_NOT_RENDERABLE');
    expect(open).to.equal(0);
  });

  it('throws the reason of an aborted signal', async () => {
    const world = await aRead();
    const image = await renderPage(world.ports, viewSettings())(ada, world.id, 1);
    const reason = new Error('gone');
    const thrown = await image.render(AbortSignal.abort(reason)).catch((error: unknown) => error);
    expect(thrown).to.equal(reason);
  });
});

describe('makeSearchablePdf', () => {
  it('adds recognized words, and keeps pages with a text layer unchanged', async () => {
    const { ports, id } = await aRead();
    const pdf = await makeSearchablePdf(ports, viewSettings())(ada, id);
    expect(pdf.filename).to.equal('A- letter-1.pdf');
    expect(readToyFile(await pdf.write(going)).map(({ layer }) => layer)).to.deep.equal([
      'one two',
      'this page has a layer of its own',
    ]);
  });

  it('throws FILE_NOT_STORED if the file was removed', async () => {
    const { ports, memory, id, stored } = await aRead();
    await memory.blobs.delete((await stored(id)).blobKey);
    const pdf = await makeSearchablePdf(ports, viewSettings())(ada, id);
    expect(await codeOf(pdf.write(going))).to.equal('FILE_NOT_STORED');
  });
});

describe('exportDocument', () => {
  const take = async (
    { ports, id }: Awaited<ReturnType<typeof aRead>>,
    format: 'docx' | 'xlsx',
    formatted: boolean,
  ) => {
    const { filename, mediaType, bytes } = await exportDocument(ports)(ada, id, format, formatted);
    return { filename, mediaType, says: readToyExport(Buffer.concat(await all(bytes()))) };
  };

  it('writes the requested format, with a file name from the title', async () => {
    const world = await aRead();
    const docx = await take(world, 'docx', true);
    const xlsx = await take(world, 'xlsx', true);
    expect([docx.filename, docx.says.format]).to.deep.equal(['A- letter-1.docx', 'docx']);
    expect([xlsx.filename, xlsx.says.format]).to.deep.equal(['A- letter-1.xlsx', 'xlsx']);
    expect(docx.mediaType).to.match(/wordprocessingml\.document$/);
    expect(xlsx.mediaType).to.match(/spreadsheetml\.sheet$/);
  });

  it('writes title and pages if it is formatted, otherwise only the text', async () => {
    const world = await aRead();
    const { says } = await take(world, 'docx', true);
    expect(says.heading).to.equal('A: letter/1');
    expect(says.lines.map(({ text, page }) => [text, page])).to.deep.equal([
      ['one two', 1],
      ['this page has a layer of its own', 2],
    ]);
    expect((await take(world, 'docx', false)).says.heading).to.equal(undefined);
  });

  it('writes the current text', async () => {
    const world = await aRead();
    await reviseOcr(world.ports)(ada, world.id, 'mine');
    expect((await take(world, 'xlsx', false)).says.lines.map(({ text }) => text)).to.deep.equal(['mine']);
  });

  it('throws OCR_RESULT_NOT_AVAILABLE if no text is stored, like reviseOcr', async () => {
    const { ports, memory, id } = await aRead();
    await memory.pages.removeAll(id);
    expect(await codeOf(exportDocument(ports)(ada, id, 'docx', true))).to.equal('OCR_RESULT_NOT_AVAILABLE');
    expect(await codeOf(reviseOcr(ports)(ada, id, 'x'))).to.equal('OCR_RESULT_NOT_AVAILABLE');
    const pages = instead(memory.pages, {
      list: async () => {
        await memory.documents.remove(id);
        return [];
      },
    });
    expect(await codeOf(exportDocument({ ...ports, pages })(ada, id, 'docx', true)), 'deleted meanwhile').to.equal(
      'DOCUMENT_NOT_FOUND',
    );
  });
});

describe('listRevisions and diffRevisions', () => {
  it('list all revisions, newest first', async () => {
    const { ports, memory, id } = await aRead();
    expect(await all(await listRevisions(ports)(ada, id))).to.deep.equal([]);
    for (const text of ['first', '', 'third']) {
      memory.clock.advance(1000);
      await reviseOcr(ports)(ada, id, text);
    }
    const listed: Revision[] = await all(await listRevisions(ports)(ada, id));
    expect(listed.map(({ number, text }) => [number, text])).to.deep.equal([
      [3, 'third'],
      [2, ''],
      [1, 'first'],
    ]);
    expect(listed[0]?.revisedAt).to.equal(memory.clock.now());
  });

  it('compare the recognized text with the newest revision, or any two revisions', async () => {
    const { ports, id } = await aRead({ pages: [{ text: 'one two three' }] });
    const compare = async (from: number, to?: number): Promise<string> =>
      (await diffRevisions(ports, viewSettings())(ada, id, from, to, going))
        .map(({ op, text }) => `${{ equal: '', insert: '+', delete: '-' }[op]}${text}`)
        .join('|');
    expect(await compare(0)).to.equal('one two three');
    await reviseOcr(ports)(ada, id, 'one 2 three');
    await reviseOcr(ports)(ada, id, 'one 2');
    expect(await compare(0, 1)).to.equal('one |-two|+2| three');
    expect(await compare(1)).to.equal('one 2|- three');
    expect(await compare(2, 1)).to.equal('one 2|+ three');
    expect(await compare(2, 0)).to.equal('one |-2|+two three');
    for (const [from, to] of [
      [3, 0],
      [0, 3],
      [9, undefined],
    ] as const) {
      expect(await codeOf(diffRevisions(ports, viewSettings())(ada, id, from, to, going))).to.equal(
        'REVISION_NOT_FOUND',
      );
    }
  });
});

describe('reprocessDocument', () => {
  it('puts a failed document back into the queue, with a job and all attempts', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] });
    await world.recognize(await world.claim());
    const jobs = await world.memory.jobs.countWaiting(RECOGNIZE_JOB);
    const queued = await reprocessDocument(world.ports)(ada, id);
    expect(queued).to.include({ id, status: 'queued', attempts: 0 });
    expect(await world.stored(id)).to.deep.equal(queued);
    expect(await world.memory.jobs.countWaiting(RECOGNIZE_JOB)).to.equal(jobs + 1);
    expect((await world.claim()).id).to.equal(id);
  });

  it('refuses a document that did not fail, and documents of other owners', async () => {
    const world = await aRead();
    expect(await codeOf(reprocessDocument(world.ports)(ada, world.id))).to.equal('DOCUMENT_NOT_FAILED');
    expect(await codeOf(reprocessDocument(world.ports)(bob, world.id))).to.equal('DOCUMENT_NOT_FOUND');
  });

  it('lets exactly one of five concurrent calls succeed', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] });
    await world.recognize(await world.claim());
    expect(await tally(times(5, () => reprocessDocument(world.ports)(ada, id)))).to.deep.equal({
      ok: 1,
      DOCUMENT_NOT_FAILED: 4,
    });
  });

  it('succeeds if its job cannot be added, and reports that', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] });
    await world.recognize(await world.claim());
    const jobs = instead(world.memory.jobs, { enqueue: () => Promise.reject(new Error('no queue')) });
    await reprocessDocument({ ...world.ports, jobs })(ada, id);
    expect((await world.stored(id)).status).to.equal('queued');
    expect(world.memory.faults.reports).to.have.length(1);
  });
});

describe('documentProgress', () => {
  it('returns the status and the number of pages read', async () => {
    const world = aWorld();
    const { id } = await world.upload(TWO_PAGES);
    const progress = () => documentProgress(world.ports)(ada, id);
    expect(await progress()).to.deep.equal({
      id,
      status: 'queued',
      version: 1,
      pagesDone: 0,
      pagesTotal: undefined,
      isOver: false,
    });
    const held = await world.claim();
    expect(await progress()).to.deep.include({
      status: 'processing',
      pagesDone: 0,
      pagesTotal: undefined,
      isOver: false,
    });
    await world.memory.documents.replace({ ...held, pagesDone: 1, pagesTotal: 2, version: held.version + 1 });
    expect(await progress()).to.deep.include({ status: 'processing', pagesDone: 1, pagesTotal: 2, isOver: false });
    await world.recognize(held);
    expect(await progress()).to.deep.include({ status: 'completed', pagesDone: 2, pagesTotal: 2, isOver: true });
    expect(await codeOf(documentProgress(world.ports)(bob, id))).to.equal('DOCUMENT_NOT_FOUND');
    await deleteDocument(world.ports)(ada, id);
    expect(await codeOf(progress())).to.equal('DOCUMENT_NOT_FOUND');
  });

  it('is over for a failed document', async () => {
    const world = aWorld();
    const { id } = await world.upload({ pages: [{ fault: 'DOCUMENT_DAMAGED' }] });
    await world.recognize(await world.claim());
    expect(await documentProgress(world.ports)(ada, id)).to.deep.include({
      status: 'failed',
      pagesDone: 0,
      pagesTotal: undefined,
      isOver: true,
    });
  });
});

describe('uploadDocument with an idempotency key', () => {
  const isStored = async (world: ReturnType<typeof aWorld>, key: string): Promise<boolean> =>
    (await world.memory.blobs.stat(key)) !== undefined;

  const upload = async (
    world: ReturnType<typeof aWorld>,
    given: { key?: string; filename?: string; title?: string; text?: string; actor?: Actor } = {},
  ) => {
    const { key = 'k', filename = 'scan.pdf', title, text = 'x', actor = ada } = given;
    const file = await world.receive(toyFile({ pages: [{ text }] }));
    const accepted = await uploadDocument(world.ports)({
      actor,
      file,
      filename,
      key,
      ...(title !== undefined && { title }),
    });
    const document = await world.stored(accepted.id);
    return { ...accepted, isNew: document.blobKey === file.blobKey, isStored: await isStored(world, file.blobKey) };
  };

  it('creates one document from repeats, returns the first answer, and discards the repeated files', async () => {
    const world = aWorld();
    const first = await upload(world);
    world.memory.clock.advance(60_000);
    const again = await upload(world);
    expect([first.isNew, again.isNew]).to.deep.equal([true, false]);
    expect([first.isStored, again.isStored]).to.deep.equal([true, false]);
    expect(again).to.deep.include({ id: first.id, receivedAt: first.receivedAt });
    expect((await world.memory.documents.list('ada', { limit: 9, offset: 0 })).total).to.equal(1);
    expect(await world.memory.jobs.countWaiting(RECOGNIZE_JOB)).to.equal(1);
  });

  it('refuses the key with another file, name or title', async () => {
    const world = aWorld();
    await upload(world);
    for (const given of [{ text: 'y' }, { filename: 'other.pdf' }, { title: 'other' }]) {
      expect(await codeOf(upload(world, given)), JSON.stringify(given)).to.equal('IDEMPOTENCY_KEY_REUSED');
    }
    expect((await upload(world, { title: 'scan' })).isNew, 'the title that the file name gives').to.equal(false);
    expect((await upload(world, { key: 'other' })).isNew).to.equal(true);
    expect((await upload(world, { actor: bob })).isNew).to.equal(true);
  });

  it('creates no second document after the process died between the document and the answer', async () => {
    const world = aWorld();
    const died = new Error('the process died');
    const idempotency = instead(world.memory.idempotency, { answer: () => Promise.reject(died) });
    const first = await upload(aWorld({ ...world.memory, idempotency }));
    expect(await codeOf(upload(world))).to.equal('IDEMPOTENCY_KEY_IN_USE');
    world.memory.clock.advance(60_000);
    const again = await upload(world);
    expect(again).to.deep.include({ id: first.id, receivedAt: first.receivedAt, isNew: false });
    expect((await world.memory.documents.list('ada', { limit: 9, offset: 0 })).total).to.equal(1);
  });

  it('frees the key of a refused upload', async () => {
    const world = aWorld();
    expect(await codeOf(upload(world, { title: 'x'.repeat(301) }))).to.equal('VALIDATION_ERROR');
    expect((await upload(world)).isNew).to.equal(true);
  });
});

import {
  type Actor,
  deleteDocument,
  diffRevisions,
  downloadDocument,
  exportDocument,
  getDocument,
  listDocuments,
  listPages,
  listRevisions,
  listWords,
  makeSearchablePdf,
  pageRequest,
  type Ports,
  renderPage,
  reviseOcr,
} from '@palimpsest/core';
import { expect } from 'chai';
import { ada, aRead, aWorld, bob, codeOf, TWO_PAGES, viewSettings } from '../../world.ts';

const CONTENT = { pages: [{ text: 'read me' }] };

const notAborted = new AbortController().signal;
/** All use cases that read a completed document. */
const reads = (ports: Ports): Readonly<Record<string, (actor: Actor, id: string) => Promise<unknown>>> => ({
  pages: listPages(ports),
  'page image': (actor, id) => renderPage(ports, viewSettings())(actor, id, 1),
  words: (actor, id) => listWords(ports)(actor, id, 1),
  export: (actor, id) => exportDocument(ports)(actor, id, 'docx', true),
  'searchable PDF': makeSearchablePdf(ports, viewSettings()),
  revisions: listRevisions(ports),
  comparison: (actor, id) => diffRevisions(ports, viewSettings())(actor, id, 0, undefined, notAborted),
});

describe('documents of several owners', () => {
  it('are seen, read, revised and deleted only by their owner', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    await world.recognize(await world.claim());
    for (const attempt of [
      getDocument(world.ports)(bob, id),
      downloadDocument(world.ports)(bob, id),
      reviseOcr(world.ports)(bob, id, 'mine'),
      deleteDocument(world.ports)(bob, id),
    ]) {
      expect(await codeOf(attempt)).to.equal('DOCUMENT_NOT_FOUND');
    }
    expect((await listDocuments(world.ports)(bob, pageRequest())).total).to.equal(0);
    expect((await listDocuments(world.ports)(ada, pageRequest())).total).to.equal(1);
    expect((await getDocument(world.ports)(ada, id)).ocr?.revision).to.equal(undefined);
  });
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

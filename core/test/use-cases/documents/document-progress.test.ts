import { deleteDocument, documentProgress } from '@palimpsest/core';
import { expect } from 'chai';
import { ada, aWorld, bob, codeOf, TWO_PAGES } from '../../world.ts';

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

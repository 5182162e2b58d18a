import { AppError, deleteDocument, getDocument, reviseOcr } from '@palimpsest/core';
import { expect } from 'chai';
import { ada, aWorld, codeOf } from '../../world.ts';

const CONTENT = { pages: [{ text: 'read me' }] };

const blobKeys = async ({ memory }: ReturnType<typeof aWorld>): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of memory.blobs.list()) keys.push(key);
  return keys;
};

describe('deleteDocument', () => {
  it('removes the record, the pages, the revisions and the file', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    const held = await world.claim();
    await world.recognize(held);
    await reviseOcr(world.ports)(ada, id, 'mine');
    await deleteDocument(world.ports)(ada, id);
    expect(await world.memory.documents.find(id)).to.equal(undefined);
    expect(await world.memory.pages.list(id, held.run)).to.deep.equal([]);
    expect(await world.memory.revisions.list(id)).to.deep.equal([]);
    expect(await blobKeys(world)).to.deep.equal([]);
    expect(await codeOf(deleteDocument(world.ports)(ada, id))).to.equal('DOCUMENT_NOT_FOUND');
  });

  it('succeeds if the file cannot be removed, and leaves the document to the cleanup job', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    const failing = {
      ...world.ports,
      blobs: {
        ...world.ports.blobs,
        delete: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'Gone.')),
      } as never,
    };
    await deleteDocument(failing)(ada, id);
    expect(await codeOf(getDocument(world.ports)(ada, id))).to.equal('DOCUMENT_NOT_FOUND');
    expect(world.memory.faults.reports).to.have.length(1);
    expect(await world.memory.documents.findPurgeable(world.memory.clock.now(), 10)).to.have.length(1);
  });
});

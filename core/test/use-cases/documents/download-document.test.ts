import { downloadDocument } from '@palimpsest/core';
import { toyFile } from '@palimpsest/memory';
import { expect } from 'chai';
import { ada, aWorld, codeOf, instead } from '../../world.ts';

const CONTENT = { pages: [{ text: 'read me' }] };

describe('downloadDocument', () => {
  it('returns the uploaded bytes', async () => {
    const world = aWorld();
    const { id } = await world.upload(CONTENT);
    const { open } = await downloadDocument(world.ports)(ada, id);
    const parts: Uint8Array[] = [];
    for await (const chunk of await open()) parts.push(chunk);
    expect(Buffer.concat(parts).equals(toyFile(CONTENT))).to.equal(true);
  });

  it('throws FILE_NOT_STORED if no file is stored', async () => {
    const world = aWorld();
    const document = await world.upload(CONTENT);
    await world.memory.blobs.delete(document.blobKey);
    expect(await codeOf(downloadDocument(world.ports)(ada, document.id))).to.equal('FILE_NOT_STORED');
    const blobs = instead(world.memory.blobs, {
      stat: async () => {
        await world.memory.documents.remove(document.id);
        return undefined;
      },
    });
    expect(await codeOf(downloadDocument({ ...world.ports, blobs })(ada, document.id)), 'deleted meanwhile').to.equal(
      'DOCUMENT_NOT_FOUND',
    );
  });
});

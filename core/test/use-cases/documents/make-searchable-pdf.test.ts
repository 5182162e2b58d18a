import { makeSearchablePdf } from '@palimpsest/core';
import { readToyFile } from '@palimpsest/memory';
import { expect } from 'chai';
import { ada, aRead, codeOf, viewSettings } from '../../world.ts';

const notAborted = new AbortController().signal;

describe('makeSearchablePdf', () => {
  it('adds recognized words, and keeps pages with a text layer unchanged', async () => {
    const { ports, id, stored } = await aRead();
    const pdf = await makeSearchablePdf(ports, viewSettings())(ada, id);
    const document = await stored(id);
    expect(pdf.version).to.equal(`${document.sha256}-${document.version}`);
    expect(pdf.filename).to.equal('A- letter-1.pdf');
    expect(readToyFile(await pdf.write(notAborted)).map(({ layer }) => layer)).to.deep.equal([
      'one two',
      'this page has a layer of its own',
    ]);
  });

  it('throws FILE_NOT_STORED if the file was removed', async () => {
    const { ports, memory, id, stored } = await aRead();
    await memory.blobs.delete((await stored(id)).blobKey);
    const pdf = await makeSearchablePdf(ports, viewSettings())(ada, id);
    expect(await codeOf(pdf.write(notAborted))).to.equal('FILE_NOT_STORED');
  });
});

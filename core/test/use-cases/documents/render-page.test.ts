import { deleteDocument, type Ports, renderPage } from '@palimpsest/core';
import { readToyFile, toyFile } from '@palimpsest/memory';
import { expect } from 'chai';
import { ada, aRead, codeOf, instead, viewSettings } from '../../world.ts';

const notAborted = new AbortController().signal;

describe('renderPage', () => {
  const look = async (
    { ports, id }: Awaited<ReturnType<typeof aRead>>,
    number = 1,
    change: Partial<Ports> = {},
  ): Promise<Uint8Array> => {
    const image = await renderPage({ ...ports, ...change }, viewSettings())(ada, id, number);
    return image.render(notAborted);
  };

  it('renders the page that was recognized', async () => {
    const world = await aRead();
    expect(readToyFile(await look(world, 1))).to.deep.equal([{ text: 'one two' }]);
    expect(readToyFile(await look(world, 2))).to.deep.equal([{ text: 'seen' }]);
  });

  it('has a version that changes with the page number', async () => {
    const { ports, id, stored } = await aRead();
    const { sha256 } = await stored(id);
    const view = renderPage(ports, viewSettings());
    expect(await view(ada, id, 1)).to.include({ version: `${sha256}-1-0-7x2`, mediaType: ports.pageImages.mediaType });
    expect((await view(ada, id, 2)).version).to.match(new RegExp(`^${sha256}-2-0-`));
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

  it('throws errors for the client if the file is removed, changed or cannot be rendered', async () => {
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
    expect(await codeOf(image.render(notAborted)), 'deleted meanwhile').to.equal('DOCUMENT_NOT_FOUND');
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
    expect(await codeOf(image.render(notAborted))).to.equal('PAGE_NOT_RENDERABLE');
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

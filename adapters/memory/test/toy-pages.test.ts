import { isAppError, sniffMediaType } from '@palimpsest/core';
import { openMemory, toyFile } from '@palimpsest/memory';
import { expect } from 'chai';

const limits = { maxPixels: 100_000, timeoutMs: 1000 };
const { signal } = new AbortController();

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.catch((thrown: unknown) => thrown);
  return isAppError(error) ? error.code : 'no refusal';
};

const {
  pageImages,
  searchablePdfs,
  rasterizers: [rasterizer],
  textLayerReaders: [reader],
} = openMemory();
if (rasterizer === undefined || reader === undefined) throw new TypeError('openMemory gives no decoders');

describe('a toy page', () => {
  it('is encoded as a file that renders to the same image', async () => {
    const image = await (
      await rasterizer.open(toyFile({ pages: [{ text: 'Grüße' }] }), limits, signal)
    ).render(1, limits, signal);
    const file = await pageImages.encode(image, 1000, signal);
    expect(sniffMediaType(file)).to.equal(pageImages.mediaType);
    expect(await (await rasterizer.open(file, limits, signal)).render(1, limits, signal)).to.deep.equal(image);
  });

  it('gets the words of its overlay as text layer, and keeps its own text layer if there are none', async () => {
    const file = toyFile(
      {
        pages: [
          { text: 'seen', layer: 'said' },
          { text: 'seen too', layer: 'said too' },
        ],
      },
      'image/png',
    );
    const words = [
      { text: 'laid', bbox: [0, 0, 4, 1] },
      { text: 'over', bbox: [5, 0, 9, 1] },
    ] as const;
    const size = { width: 10, height: 2, rotation: 0 } as const;
    const pdf = await searchablePdfs.write(
      { file, mediaType: 'image/png' },
      [
        { number: 1, ...size, words },
        { number: 2, ...size, words: [] },
      ],
      limits,
      signal,
    );
    expect(sniffMediaType(pdf)).to.equal('application/pdf');
    const layer = await reader.open(pdf, limits, signal);
    expect((await layer.read(1, limits, signal)).text).to.equal('laid over');
    expect((await layer.read(2, limits, signal)).text).to.equal('said too');
  });

  it('makes the PDF writer throw its fault, or DOCUMENT_DAMAGED if the page is missing', async () => {
    const write = (file: Uint8Array, number: number): Promise<unknown> =>
      searchablePdfs.write(
        { file, mediaType: 'application/pdf' },
        [{ number, width: 10, height: 2, rotation: 0, words: [] }],
        limits,
        signal,
      );
    expect(await codeOf(write(toyFile({ pages: [{}] }), 2))).to.equal('DOCUMENT_DAMAGED');
    expect(await codeOf(write(toyFile({ pages: [{ fault: 'PAGE_TIMED_OUT' }] }), 1))).to.equal('PAGE_TIMED_OUT');
    expect(await codeOf(write(toyFile({ pages: [{}], fault: 'DOCUMENT_ENCRYPTED' }), 1))).to.equal(
      'DOCUMENT_ENCRYPTED',
    );
  });

  it('is not written when the signal is aborted', async () => {
    const reason = new Error('enough');
    const aborted = AbortSignal.abort(reason);
    const writing = searchablePdfs.write(
      { file: toyFile({ pages: [{}] }), mediaType: 'application/pdf' },
      [],
      limits,
      aborted,
    );
    expect(await writing.catch((thrown: unknown) => thrown)).to.equal(reason);
  });
});

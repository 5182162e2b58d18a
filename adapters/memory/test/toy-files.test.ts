import { isAppError, sniffMediaType, mediaTypes } from '@palimpsest/core';
import { openMemory, toyFile } from '@palimpsest/memory';
import { expect } from 'chai';

const limits = { maxPixels: 100_000, timeoutMs: 1000 };
const { signal } = new AbortController();
const request = { language: 'eng', threshold: 'global', timeoutMs: 1000 } as const;

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.catch((thrown: unknown) => thrown);
  return isAppError(error) ? error.code : 'no refusal';
};

const [rasterizer] = openMemory().rasterizers;
const [reader] = openMemory().textLayerReaders;
if (rasterizer === undefined || reader === undefined) throw new TypeError('openMemory gives no decoders');

describe('a toy file', () => {
  for (const mediaType of mediaTypes) {
    it(`is recognized as ${mediaType} by its first bytes`, () => {
      expect(sniffMediaType(toyFile({ pages: [{}] }, mediaType))).to.equal(mediaType);
    });
  }

  it('is rendered to images, from which the OCR engine reads its text', async () => {
    const text = 'Grüße “friends”\nagain\n\n👩‍👩‍👧\n';
    const file = await rasterizer.open(toyFile({ pages: [{ text: 'first' }, { text }, {}] }), limits, signal);
    expect(file.pageCount).to.equal(3);
    const { ocrEngine, imagePreparer } = openMemory();
    const image = await imagePreparer.prepare(await file.render(2, limits, signal), [], 1000, signal);
    expect(image.data).to.have.length(image.width * image.height);
    const page = await ocrEngine.recognize(image, request, signal);
    expect(page.text).to.equal(text);
    expect(page.words.map((word) => [word.text, word.line, word.block])).to.deep.equal([
      ['Grüße', 0, 0],
      ['“friends”', 0, 0],
      ['again', 1, 0],
      ['👩‍👩‍👧', 2, 1],
    ]);
    expect(await ocrEngine.recognize(await file.render(3, limits, signal), request, signal)).to.deep.equal({
      text: '',
      confidence: 0,
      words: [],
    });
  });

  it('can have a text layer that differs from the visible text', async () => {
    const file = await reader.open(toyFile({ pages: [{ text: 'seen', layer: 'said' }, {}] }), limits, signal);
    expect((await file.read(1, limits, signal)).text).to.equal('said');
    expect((await file.read(2, limits, signal)).text).to.equal('');
  });

  it('makes decoders throw its fault and the faults of its pages', async () => {
    expect(
      await codeOf(rasterizer.open(toyFile({ pages: [{}], fault: 'DOCUMENT_ENCRYPTED' }), limits, signal)),
    ).to.equal('DOCUMENT_ENCRYPTED');
    const file = await rasterizer.open(
      toyFile({ pages: [{ fault: 'PAGE_TIMED_OUT' }, { text: 'x'.repeat(60_000) }] }),
      limits,
      signal,
    );
    expect(await codeOf(file.render(1, limits, signal))).to.equal('PAGE_TIMED_OUT');
    expect(await codeOf(file.render(2, limits, signal))).to.equal('PAGE_TOO_LARGE');
    expect(await codeOf(rasterizer.open(new Uint8Array([1, 2, 3]), limits, signal))).to.equal('DOCUMENT_DAMAGED');
    expect(await codeOf(rasterizer.open(toyFile({ pages: [] }), limits, signal))).to.equal('DOCUMENT_WITHOUT_PAGES');
  });
});

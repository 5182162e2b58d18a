import { expect } from 'chai';
import { readPage } from '@palimpsest/core';
import type { ImagePreparer, OcrEngine, RasterDocument, TextLayerDocument } from '@palimpsest/core';

const signal = new AbortController().signal;
const limits = { language: 'eng', maxPixels: 1000, pageTimeoutMs: 60_000 };
const word = { text: 'carried', confidence: 1, bbox: [1, 2, 3, 4], line: 0, block: 0 } as const;

const ocrEngine: OcrEngine = {
  name: 'engine',
  supports: async () => true,
  recognize: async () => ({
    text: 'recognised',
    confidence: 0.95,
    words: [{ ...word, text: 'recognised', confidence: 0.95 }],
  }),
  detectOrientation: async () => undefined,
};
const imagePreparer: ImagePreparer = {
  assess: async () => ({ skewDegrees: 0, backgroundRange: 0, inkShare: 0.1 }),
  prepare: async (image) => image,
};
const read = readPage({ ocrEngine, imagePreparer, clock: { now: () => 0 } }, limits);

const textLayer = (text: string): TextLayerDocument => ({
  pageCount: 3,
  read: async (number) => ({
    text: `${text}${number}`,
    confidence: 1,
    words: [word, { ...word, text: '\u0000' }],
    width: 20,
    height: 30,
  }),
  close: async () => {},
});

const rendered: number[] = [];
const raster = async (): Promise<RasterDocument> => ({
  pageCount: 3,
  render: async (number) => {
    rendered.push(number);
    return { width: 10, height: 10, data: new Uint8Array(100) };
  },
  close: async () => {},
});

describe('readPage', () => {
  beforeEach(() => rendered.splice(0));

  it('returns a usable text layer, cleaned, and renders no page', async () => {
    const page = await read(
      { number: 2, textLayer: textLayer('A page that was typed, not scanned.\r\n\u0000'), raster },
      signal,
    );
    expect(page).to.deep.equal({
      number: 2,
      width: 20,
      height: 30,
      rotation: 0,
      confidence: 1,
      text: 'A page that was typed, not scanned.\n2',
      words: [word],
      source: 'text_layer',
      engine: 'pdf-text',
      language: 'eng',
    });
    expect(rendered).to.deep.equal([]);
  });

  it('recognizes a page whose text layer is not usable', async () => {
    const page = await read({ number: 3, textLayer: textLayer(''), raster }, signal);
    expect(page).to.deep.include({
      number: 3,
      text: 'recognised',
      source: 'ocr',
      engine: 'engine',
      language: 'eng',
      width: 10,
      height: 10,
    });
    expect(page).not.to.have.property('passes');
    expect(rendered).to.deep.equal([3]);
  });

  it('recognizes a page of a file without a text layer', async () => {
    expect((await read({ number: 1, raster }, signal)).source).to.equal('ocr');
  });
});

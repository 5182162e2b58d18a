import { PDFDocument } from '@cantoo/pdf-lib';
import {
  aPng,
  greyAt,
  greyWithin,
  markedExifJpeg,
  markedImage,
  neverAborted,
} from '@palimpsest/contract-tests/internal';
import type { MediaType, TextOverlay } from '@palimpsest/core';
import { openPdfLib } from '@palimpsest/pdf-lib';
import type { PdfLibAdapters } from '@palimpsest/pdf-lib';
import { expect } from 'chai';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { openReader } from './pdf-reader.ts';
import type { PdfReader } from './pdf-reader.ts';

const LIMITS = { maxPixels: 50_000_000, timeoutMs: 30_000 };
const WORDS: readonly TextOverlay[] = [
  { number: 1, width: 100, height: 60, rotation: 0, words: [{ text: 'mark', bbox: [8, 4, 32, 24] }] },
];

describe('an image as a searchable PDF', () => {
  let adapters: PdfLibAdapters;
  let reader: PdfReader;
  before(() => {
    adapters = openPdfLib({ children: 1 });
    reader = openReader();
  });
  after(() => Promise.all([adapters.close(), reader.close()]));

  const write = (file: Uint8Array, mediaType: MediaType): Promise<Uint8Array> =>
    adapters.searchablePdfs.write({ file, mediaType }, WORDS, LIMITS, neverAborted());
  const image = markedImage(100, 60, [8, 4, 32, 24]);
  const pixels = (): Sharp => sharp(image.data, { raw: { width: 100, height: 60, channels: 1 } }).toColourspace('b-w');
  const expectMark = async (pdf: Uint8Array): Promise<void> => {
    const shown = await reader.render(pdf, 1);
    const scale = shown.width / 100;
    const within = (x0: number, y0: number, x1: number, y1: number): number =>
      greyWithin(shown, [Math.ceil(x0 * scale), Math.ceil(y0 * scale), Math.floor(x1 * scale), Math.floor(y1 * scale)]);
    expect(within(10, 6, 30, 22), 'the mark').to.be.below(40);
    expect(within(40, 30, 95, 55), 'the paper').to.be.above(230);
    expect((await reader.read(pdf))[0]?.words.map(({ text }) => text)).to.deep.equal(['mark']);
  };

  it('contains the bytes of a JPEG file unchanged', async () => {
    const file = await markedExifJpeg();
    const pdf = Buffer.from(await write(file, 'image/jpeg'));
    expect(pdf.includes(Buffer.from(file))).to.equal(true);
  });

  it('contains the compressed rows of a plain PNG file unchanged', async () => {
    const file = Buffer.from(aPng(image));
    const at = file.indexOf('IDAT');
    const rows = file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4));
    const pdf = await write(file, 'image/png');
    expect(Buffer.from(pdf).includes(rows)).to.equal(true);
    await expectMark(pdf);
  });

  const kinds: Readonly<Record<string, () => Promise<Buffer>>> = {
    'with a palette of two colours': () => pixels().png({ palette: true, colours: 2 }).toBuffer(),
    'with a palette of many colours': () =>
      pixels().toColourspace('srgb').png({ palette: true, colours: 200, dither: 0 }).toBuffer(),
    'with interlacing': () => pixels().png({ progressive: true }).toBuffer(),
    'with 16-bit colours': () => pixels().toColourspace('rgb16').png().toBuffer(),
    'with transparency and a palette': () => sharp(aPng(image, 'transparent')).png({ palette: true }).toBuffer(),
    'with its rows in several chunks': async () => {
      const file = Buffer.from(aPng(image));
      const at = file.indexOf('IDAT') - 4;
      return Buffer.concat([
        file.subarray(0, at),
        Buffer.from([0, 0, 0, 0]),
        Buffer.from('IDAT'),
        Buffer.from('35af061e', 'hex'),
        file.subarray(at),
      ]);
    },
  };
  for (const [kind, make] of Object.entries(kinds)) {
    it(`shows a PNG ${kind} as it looks`, async () => expectMark(await write(await make(), 'image/png')));
  }

  it('shows a white image with transparency on black, because on white it would be invisible', async () => {
    const white = { ...image, data: image.data.map((_, i) => (i % 100 < 50 ? 255 : 0)) };
    const shown = await reader.render(await write(aPng(white, 'white on transparent'), 'image/png'), 1);
    const row = Math.round(shown.height / 2);
    expect(
      Math.abs(greyAt(shown, Math.round(shown.width * 0.25), row) - greyAt(shown, Math.round(shown.width * 0.75), row)),
    ).to.be.above(200);
  });

  for (const [density, width, height] of [
    [300, 24, 14.4],
    [100, 72, 43.2],
    [72, 842, 505.2],
    [2400, 842, 505.2],
  ] as const) {
    it(`makes a page ${width < 842 ? `of the size that ${density} dpi give` : `as long as A4 for an implausible ${density} dpi`}`, async () => {
      const file = await pixels().withMetadata({ density }).jpeg().toBuffer();
      const [page] = await reader.read(await write(file, 'image/jpeg'));
      expect(page?.width).to.be.closeTo(width, 1);
      expect(page?.height).to.be.closeTo(height, 1);
    });
  }

  it('makes no page with a side over 14,400 points or under 1 point', async () => {
    const file = await sharp({ create: { width: 30_000, height: 3, channels: 3, background: '#fff' } })
      .withMetadata({ density: 100 })
      .jpeg()
      .toBuffer();
    const document = await PDFDocument.load(await write(file, 'image/jpeg'), { updateMetadata: false });
    expect(document.getPage(0).getSize()).to.deep.include({ width: 14_400 });
    expect(document.getPage(0).getHeight()).to.be.at.least(1);
  });

  it('keeps the ICC profile of a JPEG file', async () => {
    const file = await pixels().toColourspace('srgb').withIccProfile('p3').jpeg().toBuffer();
    const pdf = await write(file, 'image/jpeg');
    const texts = (await PDFDocument.load(pdf, { updateMetadata: false })).context
      .enumerateIndirectObjects()
      .map(([, object]) => String(object));
    expect(texts.some((text) => text.includes('/ICCBased'))).to.equal(true);
    await expectMark(pdf);
  });

  it('writes only the producer into the metadata: no date, no author', async () => {
    const document = await PDFDocument.load(await write(aPng(image), 'image/png'), { updateMetadata: false });
    expect(document.getProducer()).to.equal('Palimpsest');
    expect([
      document.getCreationDate(),
      document.getModificationDate(),
      document.getAuthor(),
      document.getCreator(),
      document.getTitle(),
    ]).to.deep.equal(Array.from({ length: 5 }, () => undefined));
  });
});

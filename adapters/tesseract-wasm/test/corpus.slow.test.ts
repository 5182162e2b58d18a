import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readPage, sniffMediaType } from '@palimpsest/core';
import type { RecognizedPage } from '@palimpsest/core';
import { errorShare, neverAborted } from '@palimpsest/contract-tests/internal';
import { openPdfium } from '@palimpsest/pdfium';
import { openSharp } from '@palimpsest/sharp';
import { openTesseractWasm } from '@palimpsest/tesseract-wasm';
import { corpus, missingCorpus, plainText } from '../../../test/corpus/corpus.ts';

const LIMITS = { language: 'eng', maxPixels: 100_000_000, pageTimeoutMs: 250_000 };
const DECODE_LIMITS = { maxPixels: LIMITS.maxPixels, timeoutMs: LIMITS.pageTimeoutMs };

const wordsOf = (text: string): string[] =>
  plainText(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The share of the expected words that were read. A word counts as often as it occurs. */
const recall = (expected: string, got: string): number => {
  const left = wordsOf(got);
  const words = wordsOf(expected);
  const found = words.filter((word) => {
    const index = left.indexOf(word);
    if (index !== -1) left.splice(index, 1);
    return index !== -1;
  });
  return found.length / words.length;
};

(missingCorpus === undefined ? describe : describe.skip)(
  `tesseract.js on the corpus${missingCorpus === undefined ? '' : ` (skipped: ${missingCorpus})`}`,
  function () {
    this.timeout(300_000);
    let close: () => Promise<unknown> = async () => {};
    let readFilePages: (name: string) => Promise<RecognizedPage[]>;

    before(() => {
      const [sharp, pdfium, tesseract] = [
        openSharp({ children: 1 }),
        openPdfium({ children: 1 }),
        openTesseractWasm({ children: 2 }),
      ];
      close = () => Promise.all([sharp.close(), pdfium.close(), tesseract.close()]);
      const ports = {
        ocrEngine: tesseract.engine,
        imagePreparer: sharp.imagePreparer,
        clock: { now: () => Math.round(performance.now() * 1000) },
      };
      readFilePages = async (name) => {
        const file = await readFile(new URL(name, corpus));
        const isPdf = sniffMediaType(file) === 'application/pdf';
        const document = await (isPdf ? pdfium : sharp).rasterizer.open(file, DECODE_LIMITS, neverAborted());
        const textLayer = isPdf ? await pdfium.textLayerReader.open(file, DECODE_LIMITS, neverAborted()) : undefined;
        const numbers = Array.from({ length: document.pageCount }, (_, i) => i + 1);
        const read = readPage(ports, LIMITS);
        return Promise.all(
          numbers.map((number) => read({ number, textLayer, raster: async () => document }, neverAborted())),
        );
      };
    });
    after(() => close());

    const truthOf = async (name: string): Promise<string> =>
      (await readFile(new URL(`truth/${name}.txt`, corpus))).toString();
    const textOf = async (name: string): Promise<string> =>
      (await readFilePages(name)).map((page) => page.text).join('\n');

    const books = [
      'book-a037.png',
      'book-c029.png',
      'book-i026.png',
      'book-f035-interlaced16.png',
      'book-b017-exif6.jpg',
      'phototest-rotated-R.png',
    ];
    for (const name of books) {
      it(`reads ${name} with less than 2 % wrong characters`, async () => {
        // Case is ignored, because the expected text of one book writes small capitals as lower case.
        const share = errorShare(
          plainText(await truthOf(name)).toLowerCase(),
          plainText(await textOf(name)).toLowerCase(),
        );
        expect(share).to.be.below(0.02);
      });
    }

    for (const [name, least] of [
      ['receipt-060.jpg', 0.909],
      ['receipt-446.jpg', 0.906],
      ['receipt-388-progressive.jpg', 0.621],
    ] as const) {
      it(`finds at least ${(100 * least).toFixed(1)} % of the words in ${name}`, async () => {
        expect(recall(await truthOf(name), await textOf(name))).to.be.at.least(least);
      });
    }

    for (const [name, words] of [
      ['meditations.jpg', ['MARCUS', 'AURELIUS', 'beneficence']],
      ['baiona-cmyk.jpg', ['BAIONA']],
      ['baiona-alpha.png', ['BAIONA', 'Komunikabideak']],
      ['multipage.pdf', ['Chapter', 'megapixels']],
      ['huge-mediabox-14400.pdf', ['GIANT', 'PAGE']],
    ] as const) {
      it(`finds these words in ${name}: ${words.join(', ')}`, async () => {
        const text = (await textOf(name)).toLowerCase();
        for (const word of words) expect(text).to.include(word.toLowerCase());
      });
    }

    it('rotates the pages of linn-cardinal.pdf upright from all four directions, and reports the rotations', async () => {
      const pages = await readFilePages('linn-cardinal.pdf');
      expect(pages.map((page) => page.rotation)).to.deep.equal([0, 270, 180, 90]);
      for (const page of pages) {
        expect(page.text).to.include('LinnSequencer');
        expect(page.width).to.be.below(page.height);
      }
    });

    it('uses the text layer on every page of a typeset paper', async () => {
      const pages = await readFilePages('tracemonkey.pdf');
      expect(pages.map((page) => page.source)).to.deep.equal(Array.from({ length: 14 }, () => 'text_layer'));
      for (const word of ['Trace-based', 'Just-in-Time', 'Specialization', 'Abstract'])
        expect(pages[0]?.text).to.include(word);
    });
  },
);

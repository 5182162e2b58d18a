import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '@palimpsest/child-process';
import { aPng, neverAborted, textSample } from '@palimpsest/contract-tests/internal';
import type { FoundWord } from '@palimpsest/contract-tests';
import { readPage, sniffMediaType } from '@palimpsest/core';
import type { RecognizedPage, TextOverlay } from '@palimpsest/core';
import { openPdfLib } from '@palimpsest/pdf-lib';
import type { PdfLibAdapters } from '@palimpsest/pdf-lib';
import { openPdfium } from '@palimpsest/pdfium';
import type { PdfiumAdapters } from '@palimpsest/pdfium';
import { openSharp } from '@palimpsest/sharp';
import type { SharpAdapters } from '@palimpsest/sharp';
import { openTesseractWasm } from '@palimpsest/tesseract-wasm';
import type { TesseractWasm } from '@palimpsest/tesseract-wasm';
import { expect } from 'chai';
import { corpus, missingCorpus } from '../../../test/corpus/corpus.ts';
import { openReader } from './pdf-reader.ts';
import type { PdfReader } from './pdf-reader.ts';

const LIMITS = { maxPixels: 100_000_000, timeoutMs: 60_000 };
const SETTINGS = { language: 'eng', maxPixels: LIMITS.maxPixels, pageTimeoutMs: LIMITS.timeoutMs };
const NEAR = 3; // points

const tokens = (text: string): string[] =>
  text
    .normalize('NFKC')
    .split(/\s+/)
    .filter((token) => token !== '');

/** The share of the wanted words that were found. A word counts as often as it occurs. */
const share = (wanted: readonly string[], found: readonly string[]): number => {
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  const met = wanted.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return wanted.length === 0 ? 1 : met.length / wanted.length;
};

const hasPdftotext = (await findProgram('pdftotext')) !== undefined;

describe('a recognised scan as a searchable PDF', function () {
  this.timeout(300_000);
  let sharp: SharpAdapters;
  let pdfium: PdfiumAdapters;
  let tesseract: TesseractWasm;
  let pdfLib: PdfLibAdapters;
  let reader: PdfReader;
  before(() => {
    [sharp, pdfium, tesseract, pdfLib, reader] = [
      openSharp({ children: 1 }),
      openPdfium({ children: 1 }),
      openTesseractWasm({ children: 1 }),
      openPdfLib({ children: 1 }),
      openReader(),
    ];
  });
  after(() => Promise.all([sharp, pdfium, tesseract, pdfLib, reader].map((opened) => opened.close())));

  const recognise = async (file: Uint8Array): Promise<readonly RecognizedPage[]> => {
    const isPdf = sniffMediaType(file) === 'application/pdf';
    const document = await (isPdf ? pdfium : sharp).rasterizer.open(file, LIMITS, neverAborted());
    const textLayer = isPdf ? await pdfium.textLayerReader.open(file, LIMITS, neverAborted()) : undefined;
    const clock = { now: () => Math.round(performance.now() * 1000) };
    const ports = {
      ocrEngine: tesseract.engine,
      imagePreparer: sharp.imagePreparer,
      clock,
    };
    const pages: RecognizedPage[] = [];
    for (let number = 1; number <= document.pageCount; number++)
      pages.push(await readPage(ports, SETTINGS)({ number, textLayer, raster: async () => document }, neverAborted()));
    return pages;
  };

  const write = async (file: Uint8Array, pages: readonly RecognizedPage[]): Promise<Uint8Array> => {
    const mediaType = sniffMediaType(file);
    if (mediaType === undefined) throw new TypeError('The file is neither an image nor a PDF');
    const overlays = pages.map(({ number, width, height, rotation, words, source }): TextOverlay => ({
      number,
      width,
      height,
      rotation,
      words: source === 'ocr' ? words : [],
    }));
    return pdfLib.searchablePdfs.write({ file, mediaType }, overlays, LIMITS, neverAborted());
  };

  /** The share of a page's words that have a found box at the same position. */
  const shareInPlace = (
    { width, height, words }: RecognizedPage,
    size: { readonly width: number; readonly height: number },
    found: readonly FoundWord['bbox'][],
  ): number => {
    const [across, down] = [size.width / width, size.height / height];
    const inPlace = words.filter(({ bbox: [x0, y0, x1, y1] }) => {
      const wanted = [x0 * across, y0 * down, x1 * across, y1 * down];
      return found.some((box) => box.every((edge, i) => Math.abs(edge - (wanted[i] ?? 0)) <= NEAR));
    });
    return inPlace.length / words.length;
  };

  for (const name of ['harbour', 'orchard'] as const) {
    it(`has its words at their positions: ${name}`, async () => {
      const { image, text } = await textSample(name);
      const file = aPng(image);
      const [page] = await recognise(file);
      if (page === undefined) throw new Error('No page was recognised');
      const [found] = await reader.read(await write(file, [page]));
      const foundTexts = found?.words.map((word) => word.text) ?? [];
      expect(
        share(
          page.words.flatMap((word) => tokens(word.text)),
          tokens(foundTexts.join(' ')),
        ),
      ).to.be.at.least(0.99);
      expect(share(tokens(text), tokens(foundTexts.join(' ')))).to.be.at.least(0.95);
      expect(shareInPlace(page, found ?? image, found?.words.map((word) => word.bbox) ?? [])).to.be.at.least(0.99);
    });
  }

  const missing = missingCorpus ?? (!hasPdftotext ? 'pdftotext is not installed' : undefined);

  (missing === undefined ? describe : describe.skip)(
    `from the corpus, read by poppler${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    () => {
      let folder: string;
      before(async () => {
        folder = await mkdtemp(join(tmpdir(), 'searchable-'));
      });
      after(() => rm(folder, { recursive: true }));

      const names = [
        'book-b017-exif6.jpg',
        'book-f035-interlaced16.png',
        'linn-ccitt.pdf',
        'phototest-rotated-R.png',
        'receipt-388-progressive.jpg',
        'baiona-cmyk.jpg',
        'baiona-alpha.png',
      ];
      for (const name of names) {
        it(`has its words at their positions: ${name}`, async () => {
          const file = await readFile(new URL(name, corpus));
          const pages = await recognise(file);
          const path = join(folder, 'searchable.pdf');
          await writeFile(path, await write(file, pages));
          const run = (...options: readonly string[]): string =>
            execFileSync('pdftotext', [...options, path, '-'], { encoding: 'utf8' });
          // Poppler joins a word that is hyphenated at a line end. This affects two or three of a hundred words.
          expect(
            share(
              pages.flatMap(({ words }) => words.flatMap((word) => tokens(word.text))),
              tokens(run()),
            ),
          ).to.be.at.least(0.95);
          const boxes = run('-bbox').split('<page ').slice(1);
          pages.forEach((page, i) => {
            const text = boxes[i] ?? '';
            const numbers = (pattern: RegExp): number[][] =>
              [...text.matchAll(pattern)].map((match) => match.slice(1).map(Number));
            const [[a = 0, b = 0] = []] = numbers(/^width="(.*?)" height="(.*?)"/g);
            // Poppler reports the size of a sideways page without its rotation.
            const [width, height] = a > b === page.width > page.height ? [a, b] : [b, a];
            const found = numbers(/xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)"/g).map(
              ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]): FoundWord['bbox'] => [x0, y0, x1, y1],
            );
            expect(shareInPlace(page, { width, height }, found)).to.be.at.least(0.95);
          });
        });
      }
    },
  );
});

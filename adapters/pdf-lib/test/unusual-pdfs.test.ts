import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { markedPdf, neverAborted } from '@palimpsest/contract-tests/internal';
import type { MarkedPage } from '@palimpsest/contract-tests/internal';
import type { TextOverlay } from '@palimpsest/core';
import { openPdfLib } from '@palimpsest/pdf-lib';
import type { PdfLibAdapters } from '@palimpsest/pdf-lib';
import { expect } from 'chai';
import { pdfFile, pdfFileWithTable, pdfStream } from './pdf-builder.ts';
import { openReader } from './pdf-reader.ts';
import type { PdfReader } from './pdf-reader.ts';

const LIMITS = { maxPixels: 50_000_000, timeoutMs: 30_000 };
const PAGE: MarkedPage = { media: [0, 0, 300, 400], mark: [60, 300, 140, 330], line: { text: 'Own', x: 60, y: 100 } };

const overlay = (number: number, text: string): TextOverlay => ({
  number,
  width: 300,
  height: 400,
  rotation: 0,
  words: [{ text, bbox: [60, 70, 140, 100] }],
});

const OWN = pdfStream('BT /F1 12 Tf 60 100 Td (Own) Tj ET');
const FONT = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';

describe('a PDF with an unusual structure, made searchable', () => {
  let adapters: PdfLibAdapters;
  let reader: PdfReader;
  before(() => {
    adapters = openPdfLib({ children: 1 });
    reader = openReader();
  });
  after(() => Promise.all([adapters.close(), reader.close()]));

  const write = (file: Uint8Array, ...overlays: readonly TextOverlay[]): Promise<Uint8Array> =>
    adapters.searchablePdfs.write({ file, mediaType: 'application/pdf' }, overlays, LIMITS, neverAborted());
  const wordsOf = async (pdf: Uint8Array): Promise<string[][]> =>
    (await reader.read(pdf)).map(({ words }) => words.map(({ text }) => text).toSorted());

  const odd: Readonly<Record<string, readonly string[]>> = {
    'with shared resources that already have a font with our name': [
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      '2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 300 400] >> endobj',
      '3 0 obj << /Type /Page /Parent 2 0 R /Resources 5 0 R /Contents [6 0 R] >> endobj',
      '4 0 obj << /Type /Page /Parent 2 0 R /Resources 5 0 R /Contents 7 0 R >> endobj',
      '5 0 obj << /Font 8 0 R >> endobj',
      `6 0 obj ${pdfStream('BT /Words 12 Tf 60 100 Td (Own) Tj ET')} endobj`,
      '7 0 obj [6 0 R] endobj',
      '8 0 obj << /Words << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> endobj',
    ],
    'with a wrong page count in its page tree': [
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R << /Type /Pages /Count 1 /Kids [4 0 R] >>] /MediaBox [0 0 300 400] /Resources << ${FONT} >> >> endobj`,
      '3 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj',
      '4 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj',
      `6 0 obj ${OWN} endobj`,
    ],
    'with two generations of an object': [
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 300 400] /Resources << ${FONT} >> >> endobj`,
      '3 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj',
      '4 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj',
      `6 0 obj ${pdfStream('BT ET')} endobj`,
      `6 1 obj ${OWN} endobj`,
    ],
  };
  for (const [oddity, objects] of Object.entries(odd)) {
    it(`keeps the text of a PDF ${oddity}`, async () => {
      const file = pdfFile(...objects);
      const before = await wordsOf(file);
      const pdf = await write(file, overlay(1, 'one'), overlay(2, 'two'));
      expect(await wordsOf(pdf)).to.deep.equal([
        [...(before[0] ?? []), 'one'],
        [...(before[1] ?? []), 'two'],
      ]);
    });
  }

  const listed = [
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    `2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /Resources << ${FONT} >> >> endobj`,
    '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 5 0 R >> endobj',
    '4 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 5 0 R >> endobj',
    `5 0 obj ${OWN} endobj`,
  ];
  for (const [what, unlisted] of [
    ['text', `5 0 obj ${pdfStream('BT /F1 12 Tf 60 100 Td (Old) Tj (Older) Tj ET')} endobj`],
    ['width', '4 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 350 400] /Contents 5 0 R >> endobj'],
    ['height', '4 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 450] /Contents 5 0 R >> endobj'],
    ['page', '2 0 obj << /Type /Pages /Count 3 /Kids [3 0 R 4 0 R 4 0 R] >> endobj'],
  ] as const) {
    it(`ignores an old object that the cross-reference table does not list: ${what}`, async () => {
      const pages = await reader.read(
        await write(pdfFileWithTable(listed, [unlisted]), overlay(1, 'one'), { ...overlay(2, 'two'), rotation: 90 }),
      );
      expect(pages.map(({ width, height }) => [Math.round(width), Math.round(height)])).to.deep.equal([
        [300, 400],
        [400, 300],
      ]);
      expect(pages.map(({ words }) => words.map(({ text }) => text).toSorted())).to.deep.equal([
        ['Own', 'one'],
        ['Own', 'two'],
      ]);
    });
  }

  it('keeps the visible one of two generations of a text object', async () => {
    const others = [
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 400] /Resources << ${FONT} >> >> endobj`,
      '3 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj',
    ];
    const old = pdfStream('BT /F1 12 Tf 60 100 Td (Old) Tj ET');
    for (const generations of [
      [`6 0 obj ${old} endobj`, `6 1 obj ${OWN} endobj`],
      [`6 1 obj ${OWN} endobj`, `6 0 obj ${old} endobj`],
    ]) {
      const file = pdfFile(...others, ...generations);
      const [before = []] = await wordsOf(file);
      expect(await wordsOf(await write(file, overlay(1, 'word')))).to.deep.equal([[...before, 'word']]);
      // Without added words, the check of the written pages cannot count words.
      expect(await wordsOf(await write(file, overlay(1, '')))).to.deep.equal([before]);
    }
  });

  it('keeps all pages if an unlisted old page tree has fewer pages', async () => {
    const file = pdfFileWithTable(listed, ['2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj']);
    expect(await wordsOf(await write(file, overlay(1, 'one')))).to.deep.equal([['Own', 'one'], ['Own']]);
  });

  it('repairs a page tree that consists of a page only', async () => {
    const file = pdfFile(
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Page /MediaBox [0 0 300 400] /Resources << ${FONT} >> /Contents 3 0 R >> endobj`,
      `3 0 obj ${OWN} endobj`,
    );
    const pdf = await write(file, overlay(1, 'one'));
    expect(await wordsOf(pdf)).to.deep.equal([['Own', 'one']]);
    expect((await PDFDocument.load(pdf)).getPageCount()).to.equal(1);
  });

  it('adds the words once if the page tree contains a page twice', async () => {
    const file = pdfFile(
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R 3 0 R] /MediaBox [0 0 300 400] /Resources << ${FONT} >> >> endobj`,
      '3 0 obj << /Type /Page /Parent 2 0 R /Contents 4 0 R >> endobj',
      `4 0 obj ${OWN} endobj`,
    );
    const pdf = await write(file, overlay(1, 'word'), overlay(2, 'word'));
    expect(await wordsOf(pdf)).to.deep.equal([
      ['Own', 'word'],
      ['Own', 'word'],
    ]);
    const [first, second] = (await PDFDocument.load(pdf)).getPages();
    expect(String(second?.ref), 'the page tree still contains the same page twice').to.equal(String(first?.ref));
  });

  it('places the words correctly on a page with a UserUnit', async () => {
    const file = Buffer.from(
      Buffer.from(markedPdf([PAGE]))
        .toString('latin1')
        .replace('/Rotate 0', '/UserUnit 2.5'),
      'latin1',
    );
    const [page] = await reader.read(await write(Uint8Array.from(file), overlay(1, 'word')));
    const [x0 = 0, y0 = 0] = page?.words.find(({ text }) => text === 'word')?.bbox ?? [];
    expect(x0 / (page?.width ?? 0)).to.be.closeTo(60 / 300, 0.01);
    expect(y0 / (page?.height ?? 0)).to.be.closeTo(70 / 400, 0.01);
  });

  it('keeps metadata, attachments and scripts, and adds none', async () => {
    const document = await PDFDocument.load(markedPdf([PAGE]));
    document.setTitle('A title');
    document.setProducer('Somebody else');
    document.setCreationDate(new Date(0));
    document.setModificationDate(new Date(0));
    document.addJavaScript('main', 'console.println(1);');
    await document.attach(Buffer.from('attached'), 'a.txt');
    const keysOf = async (file: Uint8Array): Promise<unknown> => {
      const loaded = await PDFDocument.load(file, { updateMetadata: false });
      const names = loaded.catalog.lookup(PDFName.of('Names'));
      return {
        names: String(names),
        title: loaded.getTitle(),
        producer: loaded.getProducer(),
        created: loaded.getCreationDate(),
        modified: loaded.getModificationDate(),
        catalog: loaded.catalog.keys().map(String),
      };
    };
    const file = await document.save();
    expect(await keysOf(await write(file, overlay(1, 'word')))).to.deep.equal(await keysOf(file));
    const plain = markedPdf([PAGE]);
    expect(await keysOf(await write(plain, overlay(1, 'word')))).to.deep.equal(await keysOf(plain));
  });
});

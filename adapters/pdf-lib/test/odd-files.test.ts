import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { markedPdf, patience } from '@palimpsest/contract-tests';
import type { MarkedPage } from '@palimpsest/contract-tests';
import type { TextOverlay } from '@palimpsest/core';
import { openPdfLib } from '@palimpsest/pdf-lib';
import type { PdfLibAdapters } from '@palimpsest/pdf-lib';
import { expect } from 'chai';
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

/** A file by its objects, without a table of them: readers look for them. */
const fileOf = (...objects: readonly string[]): Uint8Array =>
  Uint8Array.from(Buffer.from(`%PDF-1.4\n${objects.join('\n')}\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`, 'latin1'));

/** A file by its objects with a table of them, in which `unlisted` are not: readers that go by the table do not see them. */
const listedFile = (listed: readonly string[], unlisted: readonly string[]): Uint8Array => {
  const header = '%PDF-1.4\n';
  const body = [...listed, ...unlisted].join('\n');
  const offsets = listed.map(
    (_, i) => header.length + listed.slice(0, i).reduce((sum, { length }) => sum + length + 1, 0),
  );
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = listed.length + 1;
  return Uint8Array.from(
    Buffer.from(
      `${header}${body}\nxref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Root 1 0 R /Size ${size} >>\nstartxref\n${header.length + body.length + 1}\n%%EOF\n`,
      'latin1',
    ),
  );
};

const stream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
const OWN = stream('BT /F1 12 Tf 60 100 Td (Own) Tj ET');
const FONT = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';

describe('an odd PDF made searchable', function () {
  this.timeout(30_000);
  let adapters: PdfLibAdapters;
  let reader: PdfReader;
  before(() => {
    adapters = openPdfLib({ children: 1 });
    reader = openReader();
  });
  after(() => Promise.all([adapters.close(), reader.close()]));

  const write = (file: Uint8Array, ...overlays: readonly TextOverlay[]): Promise<Uint8Array> =>
    adapters.searchablePdfs.write({ file, mediaType: 'application/pdf' }, overlays, LIMITS, patience());
  const wordsOf = async (pdf: Uint8Array): Promise<string[][]> =>
    (await reader.read(pdf)).map(({ words }) => words.map(({ text }) => text).toSorted());

  const odd: Readonly<Record<string, readonly string[]>> = {
    'whose pages share one dictionary of resources, that has a font of our name': [
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      '2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 300 400] >> endobj',
      '3 0 obj << /Type /Page /Parent 2 0 R /Resources 5 0 R /Contents [6 0 R] >> endobj',
      '4 0 obj << /Type /Page /Parent 2 0 R /Resources 5 0 R /Contents 7 0 R >> endobj',
      '5 0 obj << /Font 8 0 R >> endobj',
      `6 0 obj ${stream('BT /Words 12 Tf 60 100 Td (Own) Tj ET')} endobj`,
      '7 0 obj [6 0 R] endobj',
      '8 0 obj << /Words << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> endobj',
    ],
    'whose page tree tells a wrong number': [
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R << /Type /Pages /Count 1 /Kids [4 0 R] >>] /MediaBox [0 0 300 400] /Resources << ${FONT} >> >> endobj`,
      '3 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj',
      '4 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj',
      `6 0 obj ${OWN} endobj`,
    ],
    'that holds its objects in two generations': [
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 300 400] /Resources << ${FONT} >> >> endobj`,
      '3 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj',
      '4 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj',
      `6 0 obj ${stream('BT ET')} endobj`,
      `6 1 obj ${OWN} endobj`,
    ],
  };
  for (const [oddity, objects] of Object.entries(odd)) {
    it(`keeps what it shows, ${oddity}`, async () => {
      const file = fileOf(...objects);
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
    ['text', `5 0 obj ${stream('BT /F1 12 Tf 60 100 Td (Old) Tj (Older) Tj ET')} endobj`],
    ['width', '4 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 350 400] /Contents 5 0 R >> endobj'],
    ['height', '4 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 450] /Contents 5 0 R >> endobj'],
    ['page', '2 0 obj << /Type /Pages /Count 3 /Kids [3 0 R 4 0 R 4 0 R] >> endobj'],
  ] as const) {
    it(`keeps what it shows, though a ${what} of old is left in it that its table does not list`, async () => {
      const pages = await reader.read(
        await write(listedFile(listed, [unlisted]), overlay(1, 'one'), { ...overlay(2, 'two'), rotation: 90 }),
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

  it('keeps which of two texts it shows that stand in one object of two generations', async () => {
    const others = [
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 400] /Resources << ${FONT} >> >> endobj`,
      '3 0 obj << /Type /Page /Parent 2 0 R /Contents 6 0 R >> endobj',
    ];
    const old = stream('BT /F1 12 Tf 60 100 Td (Old) Tj ET');
    for (const generations of [
      [`6 0 obj ${old} endobj`, `6 1 obj ${OWN} endobj`],
      [`6 1 obj ${OWN} endobj`, `6 0 obj ${old} endobj`],
    ]) {
      const file = fileOf(...others, ...generations);
      const [before = []] = await wordsOf(file);
      expect(await wordsOf(await write(file, overlay(1, 'word')))).to.deep.equal([[...before, 'word']]);
      // Nothing is added that would be seen to be missing.
      expect(await wordsOf(await write(file, overlay(1, '')))).to.deep.equal([before]);
    }
  });

  it('keeps all its pages, though its tree of old, which its table does not list, had fewer', async () => {
    const file = listedFile(listed, ['2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj']);
    expect(await wordsOf(await write(file, overlay(1, 'one')))).to.deep.equal([['Own', 'one'], ['Own']]);
  });

  it('that is all one page in place of a tree has it', async () => {
    const file = fileOf(
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      `2 0 obj << /Type /Page /MediaBox [0 0 300 400] /Resources << ${FONT} >> /Contents 3 0 R >> endobj`,
      `3 0 obj ${OWN} endobj`,
    );
    const pdf = await write(file, overlay(1, 'one'));
    expect(await wordsOf(pdf)).to.deep.equal([['Own', 'one']]);
    expect((await PDFDocument.load(pdf)).getPageCount()).to.equal(1);
  });

  it('that shows a page twice has its words once on each', async () => {
    const file = fileOf(
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
    expect(String(second?.ref), 'one page still').to.equal(String(first?.ref));
  });

  it('with larger units has its words where they stand', async () => {
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

  it('keeps what it says of itself, what is attached to it and what it does, and is given nothing of the kind', async () => {
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

  it('is refused within its time where its drawing never ends', async () => {
    const forms = Array.from(
      { length: 12 },
      (_, i) =>
        `${10 + i} 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${11 + i} 0 R >> >> /Length 60 >>\nstream\n${'/X Do '.repeat(10)}\nendstream endobj`,
    );
    const file = fileOf(
      '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
      '2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 400] >> endobj',
      '3 0 obj << /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /X 10 0 R >> >> >> endobj',
      `4 0 obj ${stream('/X Do')} endobj`,
      ...forms,
      '22 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 12 >>\nstream\n0 0 9 9 re f\nendstream endobj',
    );
    const begun = performance.now();
    const outcome: unknown = await adapters.searchablePdfs
      .write({ file, mediaType: 'application/pdf' }, [overlay(1, 'word')], { ...LIMITS, timeoutMs: 3000 }, patience())
      .catch((thrown: unknown) => thrown);
    expect(performance.now() - begun).to.be.below(15_000);
    if (!(outcome instanceof Uint8Array))
      expect(Reflect.get(Object(outcome), 'code')).to.be.oneOf([
        'PAGE_TIMED_OUT',
        'PAGE_OUT_OF_MEMORY',
        'DOCUMENT_DAMAGED',
      ]);
    expect(await wordsOf(await write(markedPdf([PAGE]), overlay(1, 'word')))).to.deep.equal([['Own', 'word']]);
  });
});

import { existsSync } from 'node:fs';
import { pdfRasterizer } from '@palimpsest/child-process';
import type { PageToRender, PdfCall, PdfPrograms } from '@palimpsest/child-process';
import { damagedPdf, isAppError } from '@palimpsest/core';
import type { PdfPageBox } from '@palimpsest/core';
import { expect } from 'chai';
import { rejectionOf } from '../../../test/expectations.ts';

const LIMITS = { maxPixels: 1_000_000, timeoutMs: 1000 };
const { signal } = new AbortController();
const BOX: PdfPageBox = { width: 72, height: 144, turn: 90 };
const PAGE_COUNT = 250;

/** Programs that find 250 equal pages in every file, and record their calls. */
class RecordingPrograms implements PdfPrograms {
  readonly queries: number[] = [];
  readonly files = new Set<string>();
  readonly rendered: (PageToRender & PdfCall)[] = [];

  readonly readInfo: PdfPrograms['readInfo'] = async (file, { first, last }) => {
    this.queries.push(first);
    this.files.add(file);
    const numbers = Array.from({ length: PAGE_COUNT }, (_, i) => i + 1);
    const pages = new Map(numbers.filter((n) => n >= first && n <= last).map((n) => [n, BOX] as const));
    return { pageCount: PAGE_COUNT, pages, elapsedMs: 400 };
  };

  readonly renderPage: PdfPrograms['renderPage'] = async (page, call) => {
    this.rendered.push({ ...page, ...call });
    return { width: page.width, height: page.height, data: new Uint8Array(page.width * page.height) };
  };
}

describe('pdfRasterizer', () => {
  const setUp = () => {
    const programs = new RecordingPrograms();
    const { rasterizer, closeDocuments } = pdfRasterizer(programs);
    return { programs, closeDocuments, open: () => rasterizer.open(Uint8Array.of(1), LIMITS, signal) };
  };

  it('renders a page at 300 dpi, turned by its /Rotate entry', async () => {
    const { programs, open } = setUp();
    const document = await open();
    expect(document.pageCount).to.equal(PAGE_COUNT);
    expect(await document.render(3, LIMITS, signal)).to.include({ width: 600, height: 300, dpi: 300 });
    expect(programs.rendered).to.have.length(1);
    expect(programs.rendered[0]).to.include({ number: 3, timeoutMs: 1000, subject: 'Page 3' });
    await document.close();
  });

  it('reads the boxes of 100 pages at once and subtracts the time for reading them from the timeout', async () => {
    const { programs, open } = setUp();
    const document = await open();
    for (const number of [1, 100, 101, 200]) await document.render(number, LIMITS, signal);
    expect(programs.queries).to.deep.equal([1, 101]);
    expect(programs.rendered.map(({ timeoutMs }) => timeoutMs)).to.deep.equal([1000, 1000, 600, 1000]);
    await document.close();
  });

  it('keeps each file in a private folder until its document is closed', async () => {
    const { programs, open, closeDocuments } = setUp();
    const [first] = [await open(), await open(), await open()];
    const [firstFile, ...others] = [...programs.files];
    expect([...programs.files].every(existsSync)).to.equal(true);
    await first.close();
    expect(existsSync(firstFile ?? '')).to.equal(false);
    expect(others.every(existsSync)).to.equal(true);
    await closeDocuments();
    expect(others.some(existsSync)).to.equal(false);
    expect(await rejectionOf(first.render(1, LIMITS, signal))).to.be.instanceOf(TypeError);
  });

  it('removes the file of a document that cannot be opened or has no pages', async () => {
    for (const [failure, code] of [
      [damagedPdf(), 'DOCUMENT_DAMAGED'],
      [undefined, 'DOCUMENT_WITHOUT_PAGES'],
    ] as const) {
      let path = '';
      const readInfo: PdfPrograms['readInfo'] = async (file) => {
        path = file;
        if (failure !== undefined) throw failure;
        return { pageCount: 0, pages: new Map(), elapsedMs: 0 };
      };
      const { rasterizer } = pdfRasterizer({ ...new RecordingPrograms(), readInfo });
      const error = await rejectionOf(rasterizer.open(Uint8Array.of(1), LIMITS, signal));
      expect(isAppError(error, code)).to.equal(true);
      expect(existsSync(path)).to.equal(false);
    }
  });
});

import { expect } from 'chai';
import type { TextLayerDocument, TextLayerPage, TextLayerReader, Word } from '@palimpsest/core';
import { expectRefusal, rejectionOf } from '../kit/expectations.ts';
import { openOnce } from '../kit/harness.ts';
import type { Open } from '../kit/harness.ts';
import { aPdf, encryptedPdf, neverAborted, pdfLine, pdfMark } from '../kit/page-samples.ts';
import { describeWithTimeout } from '../kit/runner.ts';

const LIMITS = { maxPixels: 50_000_000, timeoutMs: 30_000 };
const PX_PER_PT = 300 / 72;

const wordOf = (page: TextLayerPage, text: string): Word => {
  const word = page.words.find((word) => word.text === text);
  if (word === undefined)
    throw new Error(`The page has no word "${text}": ${page.words.map((word) => word.text).join(' ')}`);
  return word;
};

const expectNear = (word: Word, x: number, y: number, within: number): void => {
  const [x0, y0, x1, y1] = word.bbox;
  expect(x0, 'left').to.be.below(x1);
  expect(y0, 'top').to.be.below(y1);
  expect((x0 + x1) / 2, `${word.text}, across`).to.be.closeTo(x, within);
  expect((y0 + y1) / 2, `${word.text}, down`).to.be.closeTo(y, within);
};

/** Tests every promise of {@link TextLayerReader} on PDF files. */
export const describeTextLayerReader = (name: string, open: Open<TextLayerReader>): void => {
  describeWithTimeout(`${name}, a TextLayerReader`, 60_000, () => {
    const opened = openOnce(open);
    const documents: TextLayerDocument[] = [];
    afterEach(async function closeTheDocuments() {
      for (const document of documents.splice(0)) await document.close();
    });
    const load = async (file: Uint8Array, signal = neverAborted()): Promise<TextLayerDocument> => {
      const document = await opened().subject.open(file, LIMITS, signal);
      documents.push(document);
      return document;
    };
    const read = async (file: Uint8Array, number = 1, limits = LIMITS): Promise<TextLayerPage> =>
      (await load(file)).read(number, limits, neverAborted());

    it('lists application/pdf in its media types', () => {
      expect(opened().subject.mediaTypes).to.include('application/pdf');
    });

    it('reads each page, in any order and concurrently', async () => {
      const document = await load(
        aPdf(['alpha', 'beta', 'gamma'].map((text) => ({ content: pdfLine(text, 72, 700) }))),
      );
      expect(document.pageCount).to.equal(3);
      const texts = await Promise.all(
        [3, 1, 2].map(async (number) => (await document.read(number, LIMITS, neverAborted())).text.trim()),
      );
      expect(texts).to.deep.equal(['gamma', 'alpha', 'beta']);
    });

    it('does not mix the pages of two open documents', async () => {
      const one = await load(aPdf([{ content: pdfLine('one', 72, 700) }]));
      const other = await load(aPdf([{ content: pdfLine('other', 72, 700) }]));
      expect((await one.read(1, LIMITS, neverAborted())).text.trim()).to.equal('one');
      expect((await other.read(1, LIMITS, neverAborted())).text.trim()).to.equal('other');
      expect((await one.read(1, LIMITS, neverAborted())).text.trim()).to.equal('one');
    });

    it('returns lines and words in reading order, with an empty line between paragraphs', async () => {
      const content =
        pdfLine('First line here', 72, 700) + pdfLine('second line', 72, 672) + pdfLine('Another paragraph', 72, 500);
      const page = await read(aPdf([{ content }]));
      expect(page.text.trim()).to.equal('First line here\nsecond line\n\nAnother paragraph');
      expect(page.words.map((word) => word.text)).to.deep.equal([
        'First',
        'line',
        'here',
        'second',
        'line',
        'Another',
        'paragraph',
      ]);
      expect(page.words.map((word) => word.line)).to.deep.equal([0, 0, 0, 1, 1, 2, 2]);
      expect(page.words.map((word) => word.block)).to.deep.equal([0, 0, 0, 0, 0, 1, 1]);
      for (const { confidence } of page.words) expect(confidence).to.be.within(0, 1);
    });

    it('places words in pixels of the page at 300 dpi', async () => {
      const page = await read(aPdf([{ content: pdfLine('top', 72, 720) + pdfLine('bottom', 400, 72) }]));
      expect(page.width).to.be.closeTo(2550, 2);
      expect(page.height).to.be.closeTo(3300, 2);
      expectNear(wordOf(page, 'top'), 90 * PX_PER_PT, (792 - 726) * PX_PER_PT, 40);
      expectNear(wordOf(page, 'bottom'), 438 * PX_PER_PT, (792 - 80) * PX_PER_PT, 60);
    });

    it('places words on a page rotated by /Rotate', async () => {
      const page = await read(aPdf([{ content: pdfLine('corner', 72, 720), rotate: 90 }]));
      expect(page.width).to.be.above(page.height);
      const [x0, y0, x1, y1] = wordOf(page, 'corner').bbox;
      expect((x0 + x1) / 2).to.be.closeTo(726 * PX_PER_PT, 60);
      expect((y0 + y1) / 2).to.be.closeTo(105 * PX_PER_PT, 60);
    });

    it('places words in pixels of the smaller image that `maxPixels` requires', async () => {
      const file = aPdf([{ content: pdfLine('scaled', 300, 400) }]);
      const [full, small] = [await read(file), await read(file, 1, { ...LIMITS, maxPixels: 1_000_000 })];
      expect(small.width * small.height).to.be.within(900_000, 1_000_000);
      const scale = small.width / full.width;
      const [x0, y0] = wordOf(full, 'scaled').bbox;
      expect(wordOf(small, 'scaled').bbox[0]).to.be.closeTo(x0 * scale, 4);
      expect(wordOf(small, 'scaled').bbox[1]).to.be.closeTo(y0 * scale, 4);
    });

    it('returns an empty text for a page without text', async () => {
      const page = await read(aPdf([{ content: pdfMark(100, 100, 200, 200) }]));
      expect(page.text.trim()).to.equal('');
      expect(page.words).to.deep.equal([]);
      expect(page.confidence).to.equal(0);
    });

    it('throws the code for a document that needs a password, has no pages or is damaged', async () => {
      await expectRefusal('DOCUMENT_ENCRYPTED', () => read(encryptedPdf()));
      await expectRefusal('DOCUMENT_WITHOUT_PAGES', () => read(aPdf([])));
      await expectRefusal('DOCUMENT_DAMAGED', () => read(new TextEncoder().encode('/etc/passwd\n')));
    });

    it('throws the reason when the signal aborts, and processes the next page', async () => {
      const reason = new Error('enough');
      const file = aPdf([{ content: pdfLine('alpha', 72, 700) }]);
      expect(await rejectionOf(() => load(file, AbortSignal.abort(reason)))).to.equal(reason);
      const document = await load(file);
      const controller = new AbortController();
      const work = document.read(1, LIMITS, controller.signal);
      controller.abort(reason);
      expect(await rejectionOf(() => work)).to.equal(reason);
      expect((await document.read(1, LIMITS, neverAborted())).text.trim()).to.equal('alpha');
    });

    it('can be closed repeatedly', async () => {
      const document = await load(aPdf([{ content: pdfLine('alpha', 72, 700) }]));
      await document.close();
      await document.close();
    });
  });
};

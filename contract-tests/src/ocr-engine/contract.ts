import { expect } from 'chai';
import type { GreyImage, OcrEngine, OcrRequest, PageText } from '@palimpsest/core';
import { expectRefusal, rejectionOf } from '../kit/expectations.ts';
import { openOnce, testsOf } from '../kit/harness.ts';
import type { Open } from '../kit/harness.ts';
import { markedImage, neverAborted, textSample } from '../kit/page-samples.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { errorShare } from './error-share.ts';
import { shadeImage, turnImage } from './images.ts';

const REQUEST: OcrRequest = { language: 'eng', threshold: 'global', timeoutMs: 60_000 };
const MAX_ERROR_SHARE = 0.05; // engines and their data differ a little

const plain = (text: string): string => text.normalize('NFKC').replace(/[‘’]/g, "'").replace(/\s+/g, ' ').trim();

const expectText = (got: string, expected: string): void => {
  const share = errorShare(plain(expected), plain(got));
  expect(share, `"${plain(got)}" for "${plain(expected)}"`).to.be.below(MAX_ERROR_SHARE);
};

/** Tests every promise of {@link OcrEngine}. The engine needs English data. Up to 5 % of the characters may be wrong. */
export const describeOcrEngine = (name: string, open: Open<OcrEngine>): void => {
  describeWithTimeout(`${name}, an OcrEngine`, 180_000, () => {
    const opened = openOnce(open);
    const test = testsOf(opened);
    const recognize = (image: GreyImage, request: Partial<OcrRequest> = {}): Promise<PageText> =>
      opened().subject.recognize(image, { ...REQUEST, ...request }, neverAborted());

    it('has a name', () => {
      expect(opened().subject.name).to.match(/^[a-z][\w.-]*$/);
    });

    it('reads a page with its lines and paragraphs', async () => {
      const { image, text } = await textSample('harbour');
      const page = await recognize(image);
      expectText(page.text, text);
      const paragraphs = page.text.trim().split(/\n\s*\n/);
      expect(paragraphs.map((paragraph) => paragraph.split('\n').length)).to.deep.equal([2, 3]);
    });

    it('returns the words in reading order, each with its confidence, line and block', async () => {
      const { image, text } = await textSample('harbour');
      const { text: read, words, confidence } = await recognize(image);
      expectText(words.map((word) => word.text).join(' '), text);
      expect(
        words.map((word) => word.text),
        'the words of the text',
      ).to.deep.equal(read.trim().split(/\s+/));
      for (const word of words) {
        expect(word.text).to.match(/^\S+$/);
        expect(word.confidence).to.be.within(0, 1);
      }
      const mean = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
      expect(mean).to.be.above(0.7);
      expect(confidence).to.be.closeTo(mean, 0.01);
      const lines = words.map((word) => word.line);
      expect(lines).to.deep.equal([...lines].sort((a, b) => a - b));
      expect([lines[0], lines.at(-1)]).to.deep.equal([0, 4]);
      expect(words[0]?.block).to.equal(0);
    });

    it('places each word in pixels of the image', async () => {
      const { image } = await textSample('harbour');
      const { words } = await recognize(image);
      for (const {
        bbox: [x0, y0, x1, y1],
      } of words) {
        expect(x0).to.be.within(0, x1 - 1);
        expect(y0).to.be.within(0, y1 - 1);
        expect(x1).to.be.at.most(image.width);
        expect(y1).to.be.at.most(image.height);
      }
      const [first] = words;
      expect(first?.bbox[0]).to.be.closeTo(91, 12);
      expect(first?.bbox[1]).to.be.closeTo(110, 12);
      expect(first?.bbox[3]).to.be.closeTo(140, 12);
      const last = words.at(-1);
      expect(last?.bbox[3]).to.be.closeTo(140 + 5 * 62, 14);
    });

    it('finds no text on an empty page', async () => {
      const page = await recognize(markedImage(800, 600));
      expect(page.text.trim()).to.equal('');
      expect(page.words).to.deep.equal([]);
      expect(page.confidence).to.equal(0);
    });

    it('accepts an image of 2 by 2 pixels', async () => {
      expect((await recognize(markedImage(2, 2))).words).to.deep.equal([]);
    });

    it('returns the same result for an image after it has read other images', async () => {
      const [harbour, orchard] = [await textSample('harbour'), await textSample('orchard')];
      const first = await recognize(harbour.image);
      await recognize(turnImage(orchard.image, 180));
      await recognize(orchard.image, { threshold: 'adaptive' });
      expect(await recognize(harbour.image)).to.deep.equal(first);
      expectText((await recognize(orchard.image)).text, orchard.text);
    });

    it('does not mix images that are read concurrently', async () => {
      const samples = [await textSample('orchard'), await textSample('harbour'), await textSample('orchard')];
      const pages = await Promise.all(samples.map(({ image }) => recognize(image)));
      pages.forEach((page, i) => expectText(page.text, samples[i]?.text ?? ''));
    });

    it('reads uneven light with the adaptive threshold', async () => {
      const { image, text } = await textSample('orchard');
      expectText((await recognize(shadeImage(image), { threshold: 'adaptive' })).text, text);
    });

    it('does not change the given image', async () => {
      const { image } = await textSample('orchard');
      const before = Uint8Array.from(image.data);
      await recognize(image);
      expect(image.data).to.deep.equal(before);
    });

    for (const turn of [0, 90, 180, 270] as const) {
      it(`detects that a page rotated by ${turn} degrees must be rotated by ${(360 - turn) % 360}`, async () => {
        const { image } = await textSample('harbour');
        const orientation = await opened().subject.detectOrientation(turnImage(image, turn), 60_000, neverAborted());
        expect(orientation?.degrees).to.equal((360 - turn) % 360);
        expect(orientation?.confidence).to.be.above(1.5);
      });
    }

    it('detects no orientation of an empty page', async () => {
      const orientation = await opened().subject.detectOrientation(markedImage(800, 600), 60_000, neverAborted());
      expect(orientation?.confidence ?? 0).to.be.below(1.5);
    });

    test('supports `eng`, and returns `false` for any invalid language', async (subject) => {
      expect(await subject.supports('eng')).to.equal(true);
      const strange = [
        '',
        '+',
        'eng+',
        '+eng',
        'eng++eng',
        'eng+no_such_data',
        'eng,deu',
        '../eng',
        'eng/../eng',
        'eng;ls',
        '$(ls)',
        'eng\0',
        'e'.repeat(5000),
        '-psm',
        'toString',
        '__proto__',
      ];
      for (const language of strange)
        expect(await subject.supports(language), JSON.stringify(language)).to.equal(false);
    });

    it('throws PAGE_TOO_LARGE for an image with a side of 40,000 pixels', async () => {
      await expectRefusal('PAGE_TOO_LARGE', () => recognize(markedImage(40_000, 3)));
      await expectRefusal('PAGE_TOO_LARGE', () => recognize(markedImage(3, 40_000)));
    });

    it('throws PAGE_TIMED_OUT after the timeout, and reads the next page', async () => {
      const { image, text } = await textSample('orchard');
      // Such a large image does not even reach the engine within 1 ms.
      await expectRefusal('PAGE_TIMED_OUT', () => recognize(markedImage(2500, 2500), { timeoutMs: 1 }));
      expectText((await recognize(image)).text, text);
    });

    test('throws the reason when the signal aborts, and processes the next page', async (subject) => {
      const { image, text } = await textSample('orchard');
      const reason = new Error('enough');
      for (const work of [
        (signal: AbortSignal): Promise<unknown> => subject.recognize(image, REQUEST, signal),
        (signal: AbortSignal): Promise<unknown> => subject.detectOrientation(image, 60_000, signal),
      ]) {
        const controller = new AbortController();
        const aborted = work(controller.signal);
        controller.abort(reason);
        expect(await rejectionOf(() => aborted)).to.equal(reason);
        expect(await rejectionOf(() => work(AbortSignal.abort(reason)))).to.equal(reason);
      }
      expectText((await recognize(image)).text, text);
    });
  });
};

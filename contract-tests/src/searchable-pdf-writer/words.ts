import type { BoundingBox, Size, TextOverlay } from '@palimpsest/core';
import { expect } from 'chai';
import { expectMark, expectNear, expectWords, scaled } from './found-pages.ts';
import type { FoundPage, OverlaidWord, WriterTools } from './found-pages.ts';
import { aPng, markedImage } from '../kit/page-samples.ts';
import { inRows, wordsByScript } from './script-samples.ts';

const PAPER: Size = { width: 1000, height: 1400 };
let paperPng: Uint8Array | undefined;

/** A page with a mark at its lower right. */
const paperFile = (): Uint8Array => (paperPng ??= aPng(markedImage(PAPER.width, PAPER.height, [900, 1300, 980, 1380])));

/** Tests that words in any script are found at their boxes and that nothing else changes. */
export const describeOverlayWords = ({ write, read, render, expectSameAppearance }: WriterTools): void => {
  describe('words', () => {
    const size = PAPER;
    const paper = paperFile();
    const onPaper = (words: readonly OverlaidWord[]): TextOverlay => ({ number: 1, ...size, rotation: 0, words });
    const throughFile = async (words: readonly OverlaidWord[]): Promise<FoundPage | undefined> =>
      (await read(await write(paper, 'image/png', [onPaper(words)])))[0];

    for (const [script, texts] of Object.entries(wordsByScript)) {
      it(`are found in order at their boxes (${script})`, async () => {
        const words = inRows(texts, size);
        expectWords(await throughFile(words), onPaper(words));
      });
    }

    it('that are written from right to left are found in order', async () => {
      const texts = ['אחת', 'שתיים', 'שלוש', 'ארבע'];
      const words = texts.map((text, i): OverlaidWord => ({ text, bbox: [750 - 200 * i, 100, 900 - 200 * i, 140] }));
      expectWords(await throughFile(words), onPaper(words));
    });

    it('with touching boxes stay separate and have the size of their boxes', async () => {
      const words: OverlaidWord[] = [
        { text: 'side', bbox: [100, 100, 180, 130] },
        { text: 'by', bbox: [180, 100, 220, 130] },
        { text: 'side', bbox: [220, 100, 400, 130] },
        { text: 'HUGE', bbox: [100, 200, 900, 500] },
        { text: 'tiny', bbox: [100, 600, 125, 609] },
      ];
      expectWords(await throughFile(words), onPaper(words));
    });

    it('are invisible', async () => {
      const pdf = await write(paper, 'image/png', [onPaper(inRows(wordsByScript['Latin'] ?? [], size))]);
      const none = await write(paper, 'image/png', [onPaper([])]);
      await expectSameAppearance(none, pdf);
      expectMark(await render(pdf), [900, 1300, 980, 1380], size);
    });

    it('with unusual text or invalid boxes damage neither the file nor other words', async () => {
      const strange = [
        '',
        ' ',
        '\0',
        'a\0b',
        '\u0007\u001b[31m',
        'line\nend',
        'tab\there',
        '\ud800',
        'x\udc00y',
        '\ufeff',
        '\uffff',
        '\u202eesrever',
        ') Tj ET Q (',
        '<</X>>',
        '%',
        '\\',
        'w'.repeat(10_000),
        '👩‍👩‍👧'.repeat(500),
        'e\u0301\u0302\u0303'.repeat(100),
        'א1a'.repeat(3000),
      ];
      const boxes: BoundingBox[] = [
        [100, 300, 100, 300],
        [100, 300, 400, 300],
        [400, 330, 100, 300],
        [-50, -50, -10, -10],
        [5000, 5000, 6000, 5100],
        [-1e9, -1e9, 1e9, 1e9],
        [Number.NaN, 0, 10, 10],
        [0, 0, Infinity, 10],
        [1e-300, 1e-300, 2e-300, 2e-300],
      ];
      const words: OverlaidWord[] = [
        { text: 'first', bbox: [100, 100, 200, 130] },
        ...strange.map((text): OverlaidWord => ({ text, bbox: [100, 300, 400, 330] })),
        ...boxes.map((bbox): OverlaidWord => ({ text: 'elsewhere', bbox })),
        { text: 'last', bbox: [100, 1200, 200, 1230] },
      ];
      const pdf = await write(paper, 'image/png', [onPaper(words)]);
      const [page] = await read(pdf);
      for (const word of [words[0], words.at(-1)]) {
        const found = page?.words.find(({ text }) => text === word?.text);
        if (page === undefined || found === undefined || word === undefined)
          throw new Error(`The page has no ${word?.text}`);
        expectNear(found.bbox, scaled(word.bbox, page.width / size.width), word.text);
      }
      expectMark(await render(pdf), [900, 1300, 980, 1380], size);
    });

    it('add less than 150 kB if a page has 3,000 of them', async () => {
      const many = Array.from({ length: 3000 }, (_, i): OverlaidWord => {
        const [left, top] = [20 + (i % 30) * 32, 20 + Math.floor(i / 30) * 12];
        return { text: `w${i}`, bbox: [left, top, left + 28, top + 9] };
      });
      const pdf = await write(paper, 'image/png', [onPaper(many)]);
      expect((await read(pdf))[0]?.words.map(({ text }) => text)).to.deep.equal(many.map(({ text }) => text));
      expect(pdf.length).to.be.below(paper.length + 150_000);
    });
  });
};

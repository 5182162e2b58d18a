import { turnBox, turnedSize } from '@palimpsest/core';
import type { QuarterTurn, TextOverlay } from '@palimpsest/core';
import { expect } from 'chai';
import { expectRefusal } from '../kit/expectations.ts';
import { expectMark, expectNear, expectWords, rounded, scaled } from './found-pages.ts';
import type { WriterTools } from './found-pages.ts';
import { encryptedPdf } from '../kit/page-samples.ts';
import { markedPdf, shownMark, shownSize } from '../kit/pdf-samples.ts';
import type { MarkedPage } from '../kit/pdf-samples.ts';

const PX_PER_PT = 300 / 72;
const TURNS: readonly QuarterTurn[] = [0, 90, 180, 270];

/** A page of a PDF. State only the fields that matter. */
export const aPage = (given: Partial<MarkedPage> = {}): MarkedPage => ({
  media: [0, 0, 300, 400],
  mark: [60, 300, 140, 330],
  ...given,
});

/** An overlay for a page with one word on its mark, rotated by `rotation`. */
export const onMark = (
  page: MarkedPage,
  text: string,
  { number = 1, rotation = 0 }: Partial<TextOverlay> = {},
): TextOverlay => {
  const shown = shownSize(page);
  const { width, height } = turnedSize(
    { width: Math.floor(shown.width * PX_PER_PT), height: Math.floor(shown.height * PX_PER_PT) },
    rotation,
  );
  const bbox = rounded(scaled(turnBox(shownMark(page), shown, rotation), PX_PER_PT));
  return { number, width, height, rotation, words: [{ text, bbox }] };
};

/** Tests that the pages of a PDF keep their appearance and become upright. */
export const describePdfPages = ({ write, writePdf, read, render, expectSameAppearance }: WriterTools): void => {
  describe('a PDF', () => {
    for (const rotate of TURNS) {
      for (const [where, crop] of [
        ['whole', undefined],
        ['cropped', [30, 50, 280, 370]],
      ] as const) {
        it(`is upright with its words on its marks (/Rotate ${rotate}, ${where})`, async () => {
          const page = aPage({ media: [10, 20, 310, 420], rotate, ...(crop && { crop }) });
          for (const rotation of TURNS) {
            const overlay = onMark(page, 'mark', { rotation });
            const pdf = await writePdf([page], [overlay]);
            const [found] = await read(pdf);
            const shown = turnedSize(shownSize(page), rotation);
            expect(found?.width, `width after a rotation by ${rotation}`).to.be.closeTo(shown.width, 1);
            expect(found?.height, `height after a rotation by ${rotation}`).to.be.closeTo(shown.height, 1);
            expectWords(found, overlay);
            expectMark(await render(pdf), turnBox(shownMark(page), shownSize(page), rotation), shown);
          }
        });
      }
    }

    it('keeps its appearance', async () => {
      const page = aPage({ line: { text: 'Own words', x: 60, y: 200 } });
      const file = markedPdf([page]);
      await expectSameAppearance(file, await write(file, 'application/pdf', [onMark(page, 'mark')]));
    });

    const three = [
      aPage({ mark: [10, 300, 60, 330] }),
      aPage({ mark: [100, 200, 180, 230] }),
      aPage({ mark: [200, 20, 280, 60] }),
    ];

    for (const inherits of [false, true]) {
      it(`keeps its pages in order${inherits ? ', if they inherit attributes' : ''}`, async () => {
        const pages = inherits ? three.map((page) => ({ ...page, line: { text: 'Own', x: 60, y: 100 } })) : three;
        const overlays = pages.map((page, i) => onMark(page, `word${i + 1}`, { number: i + 1 }));
        const pdf = await writePdf(pages, overlays, { inherits });
        const found = await read(pdf);
        expect(found.map(({ words }) => words.map(({ text }) => text).filter((text) => text !== 'Own'))).to.deep.equal([
          ['word1'],
          ['word2'],
          ['word3'],
        ]);
        for (const [i, page] of pages.entries()) {
          expectNear(
            found[i]?.words.find(({ text }) => text !== 'Own')?.bbox ?? [0, 0, 0, 0],
            shownMark(page),
            `word${i + 1}`,
          );
          await expectSameAppearance(markedPdf(pages, { inherits }), pdf, i + 1);
        }
      });
    }

    it('accepts overlays in any order and rotates only the pages with a rotation', async () => {
      const overlays = [3, 1, 2].map((number) =>
        onMark(three[number - 1] ?? aPage(), `word${number}`, { number, rotation: number === 2 ? 90 : 0 }),
      );
      const found = await read(await writePdf(three, overlays));
      expect(found.map(({ words }) => words.map(({ text }) => text))).to.deep.equal([['word1'], ['word2'], ['word3']]);
      expect(found.map(({ width, height }) => width > height)).to.deep.equal([false, true, false]);
      expectWords(found[1], overlays[2] ?? onMark(aPage(), ''));
    });

    it('keeps the text of pages without new words', async () => {
      const pages = [aPage({ line: { text: 'Stays here', x: 60, y: 200 } }), aPage()];
      const file = markedPdf(pages);
      const overlays = [{ ...onMark(pages[0] ?? aPage(), ''), words: [] }, onMark(aPage(), 'added', { number: 2 })];
      const found = await read(await write(file, 'application/pdf', overlays));
      const before = await read(file);
      expect(found[0]).to.deep.equal(before[0]);
      expect(found[1]?.words.map(({ text }) => text)).to.deep.equal(['added']);
    });

    it('with unbalanced graphics states has its words at their boxes', async () => {
      for (const oddity of [
        { after: 'q 2 0 0 2 100 100 cm 3 w' },
        { after: 'Q Q Q' },
        { before: 'q 0.5 0 0 0.5 0 0 cm BT /F1 9 Tf 200 Tz 40 Ts ET Q', after: 'BT 50 Ts' },
      ]) {
        const page = aPage(oddity);
        const overlay = onMark(page, 'mark');
        const pdf = await writePdf([page], [overlay]);
        expectWords((await read(pdf))[0], overlay);
        await expectSameAppearance(markedPdf([page]), pdf);
      }
    });

    it('may be protected against changes or have broken cross references', async () => {
      for (const oddities of [{ protectedBy: 'owner' }, { crossReferences: 'broken' }] as const) {
        const page = aPage({ line: { text: 'Own words', x: 60, y: 200 } });
        const file = markedPdf([page], oddities);
        const overlay = onMark(page, 'mark');
        const pdf = await write(file, 'application/pdf', [overlay]);
        const [found] = await read(pdf);
        expect(found?.words.map(({ text }) => text).sort()).to.deep.equal(['Own', 'mark', 'words']);
        expectNear(found?.words.find(({ text }) => text === 'mark')?.bbox ?? [0, 0, 0, 0], shownMark(page), 'mark');
        await expectSameAppearance(file, pdf);
      }
    });

    it('that needs a password, is damaged or has too few pages causes an error with the matching code', async () => {
      const overlay = onMark(aPage(), 'mark');
      await expectRefusal('DOCUMENT_ENCRYPTED', () => write(encryptedPdf(), 'application/pdf', [overlay]));
      await expectRefusal('DOCUMENT_DAMAGED', () =>
        write(new TextEncoder().encode('%PDF-1.7\n%%EOF\n'), 'application/pdf', [overlay]),
      );
      await expectRefusal('DOCUMENT_DAMAGED', () => writePdf([aPage()], [overlay, { ...overlay, number: 2 }]));
    });
  });
};

import { expect } from 'chai';
import { expectRefusal, rejectionOf } from '../kit/expectations.ts';
import { expectWords, LIMITS, writerTools } from './found-pages.ts';
import type { ReadSearchablePdfs } from './found-pages.ts';
import { openOnce } from '../kit/harness.ts';
import type { Open } from '../kit/harness.ts';
import { aPng, markedExifJpeg, markedImage } from '../kit/page-samples.ts';
import { markedPdf } from '../kit/pdf-samples.ts';
import { aPage, describePdfPages, onMark } from './pdf-pages.ts';
import { describeImages } from './images.ts';
import { describeOverlayWords } from './words.ts';
import { describeWithTimeout } from '../kit/runner.ts';

/** Tests every promise of {@link SearchablePdfWriter}. */
export const describeSearchablePdfWriter = (name: string, open: Open<ReadSearchablePdfs>): void => {
  describeWithTimeout(`${name}, a SearchablePdfWriter`, 60_000, () => {
    const opened = openOnce(open);
    const tools = writerTools(opened);
    const { write, writePdf, read } = tools;

    describeOverlayWords(tools);
    describeImages(tools);
    describePdfPages(tools);

    it('throws PAGE_TIMED_OUT after the timeout, and writes the next file', async () => {
      const page = aPage();
      // Such a large file does not even reach the writer within 1 ms.
      const file = markedPdf([{ ...page, before: ' '.repeat(5_000_000) }]);
      await expectRefusal('PAGE_TIMED_OUT', () =>
        write(file, 'application/pdf', [onMark(page, 'late')], { ...LIMITS, timeoutMs: 1 }),
      );
      const overlay = onMark(page, 'mark');
      expectWords((await read(await writePdf([page], [overlay])))[0], overlay);
    });

    it('throws the reason when the signal aborts, and writes the next file', async () => {
      const reason = new Error('enough');
      const page = aPage();
      const overlay = onMark(page, 'mark');
      const file = markedPdf([page]);
      expect(
        await rejectionOf(() => write(file, 'application/pdf', [overlay], LIMITS, AbortSignal.abort(reason))),
      ).to.equal(reason);
      const controller = new AbortController();
      const work = write(file, 'application/pdf', [overlay], LIMITS, controller.signal);
      controller.abort(reason);
      expect(await rejectionOf(() => work)).to.equal(reason);
      expectWords((await read(await writePdf([page], [overlay])))[0], overlay);
    });

    it('does not change the given file and overlays', async () => {
      const page = aPage();
      const overlays = [onMark(page, 'mark\0', { rotation: 90 })];
      const copy = structuredClone(overlays);
      for (const [file, mediaType] of [
        [markedPdf([page]), 'application/pdf'],
        [await markedExifJpeg(), 'image/jpeg'],
        [aPng(markedImage(60, 40, [8, 4, 22, 14])), 'image/png'],
      ] as const) {
        const before = Uint8Array.from(file);
        await write(file, mediaType, overlays);
        expect(file).to.deep.equal(before);
        expect(overlays).to.deep.equal(copy);
      }
    });

    it('does not mix files that are written concurrently', async () => {
      const page = aPage();
      const files = ['uno', 'dos', 'tres', 'cuatro', 'cinco'].map((text) => writePdf([page], [onMark(page, text)]));
      const found = await Promise.all((await Promise.all(files)).map(read));
      expect(found.map((pages) => pages.map(({ words }) => words.map(({ text }) => text)))).to.deep.equal([
        [['uno']],
        [['dos']],
        [['tres']],
        [['cuatro']],
        [['cinco']],
      ]);
    });
  });
};

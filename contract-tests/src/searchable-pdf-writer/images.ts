import { turnBox, turnedSize } from '@palimpsest/core';
import type { BoundingBox, GreyImage, QuarterTurn, TextOverlay } from '@palimpsest/core';
import { expect } from 'chai';
import { exifJpeg, uprightMark } from './exif-samples.ts';
import { expectRefusal } from '../kit/expectations.ts';
import { expectMark, expectWords, LIMITS, rounded } from './found-pages.ts';
import type { WriterTools } from './found-pages.ts';
import {
  aPng,
  greyWithin,
  markedCmykJpeg,
  markedExifJpeg,
  markedImage,
  pngKinds,
  textSample,
} from '../kit/page-samples.ts';
import { inRows } from './script-samples.ts';

const TURNS: readonly QuarterTurn[] = [0, 90, 180, 270];

/** Tests that images become upright pages with the same appearance. */
export const describeImages = ({ write, read, render }: WriterTools): void => {
  describe('an image', () => {
    it('of a page of text keeps its appearance, its proportions and about its file size', async () => {
      const { image } = await textSample('harbour');
      const file = aPng(image);
      const words = inRows(['Harbour', 'master'], image);
      const overlay: TextOverlay = { number: 1, width: image.width, height: image.height, rotation: 0, words };
      const pdf = await write(file, 'image/png', [overlay]);
      const pages = await read(pdf);
      expect(pages).to.have.length(1);
      expectWords(pages[0], overlay);
      const shown = await render(pdf);
      expect(shown.width / shown.height).to.be.closeTo(image.width / image.height, 0.01);
      for (let row = 0; row < 10; row++) {
        const [top, bottom] = [row / 10, (row + 1) / 10];
        const greyOf = (it: GreyImage): number =>
          greyWithin(it, rounded([0, top * it.height, it.width, bottom * it.height]));
        expect(greyOf(shown), `part ${row} of the page`).to.be.closeTo(greyOf(image), 4);
      }
      expect(pdf.length).to.be.below(file.length * 1.1 + 10_000);
    });

    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      it(`is upright with EXIF orientation ${orientation} and any rotation`, async () => {
        const file = await exifJpeg(orientation);
        for (const rotation of TURNS) {
          const { size, mark } = uprightMark(orientation);
          const turned = turnedSize(size, rotation);
          const bbox = turnBox(mark, size, rotation);
          const overlay: TextOverlay = { number: 1, ...turned, rotation, words: [{ text: 'mark', bbox }] };
          const pdf = await write(file, 'image/jpeg', [overlay]);
          expectWords((await read(pdf))[0], overlay);
          expectMark(await render(pdf), bbox, turned);
        }
      });
    }

    it('in CMYK is not inverted', async () => {
      const overlay: TextOverlay = {
        number: 1,
        width: 60,
        height: 40,
        rotation: 0,
        words: [{ text: 'mark', bbox: [0, 0, 16, 8] }],
      };
      const pdf = await write(await markedCmykJpeg(), 'image/jpeg', [overlay]);
      expectWords((await read(pdf))[0], overlay);
      expectMark(await render(pdf), [0, 0, 16, 8], { width: 60, height: 40 });
    });

    for (const kind of pngKinds) {
      it(`in a PNG is shown on white (${kind})`, async () => {
        const size = { width: 101, height: 60 };
        const mark: BoundingBox = [8, 4, 32, 24];
        const overlay: TextOverlay = { number: 1, ...size, rotation: 0, words: [{ text: 'mark', bbox: mark }] };
        const pdf = await write(aPng(markedImage(size.width, size.height, mark), kind), 'image/png', [overlay]);
        expectWords((await read(pdf))[0], overlay);
        expectMark(await render(pdf), mark, size);
      });
    }

    it('without words becomes a PDF without words', async () => {
      const pdf = await write(aPng(markedImage(100, 60, [8, 4, 32, 24])), 'image/png', [
        { number: 1, width: 100, height: 60, rotation: 90, words: [] },
      ]);
      const [page] = await read(pdf);
      expect(page?.words).to.deep.equal([]);
      expect((page?.width ?? 0) / (page?.height ?? 1)).to.be.closeTo(0.6, 0.01);
    });

    it('that is damaged, empty or too large causes an error with the matching code', async () => {
      const overlays: TextOverlay[] = [
        { number: 1, width: 300, height: 300, rotation: 0, words: [{ text: 'mark', bbox: [8, 4, 22, 14] }] },
      ];
      const image = markedImage(300, 300, [8, 4, 22, 14], [100, 50, 104, 290]);
      const png = aPng(image);
      const jpeg = await markedExifJpeg();
      await expectRefusal('DOCUMENT_DAMAGED', () => write(png.subarray(0, png.length - 60), 'image/png', overlays));
      await expectRefusal('DOCUMENT_DAMAGED', () => write(jpeg.subarray(0, jpeg.length - 100), 'image/jpeg', overlays));
      for (const mediaType of ['image/png', 'image/jpeg', 'application/pdf'] as const) {
        await expectRefusal('DOCUMENT_DAMAGED', () =>
          write(new TextEncoder().encode('/etc/passwd\n/etc/hostname\n'), mediaType, overlays),
        );
        await expectRefusal('DOCUMENT_DAMAGED', () => write(new Uint8Array(), mediaType, overlays));
      }
      await expectRefusal('PAGE_TOO_LARGE', () => write(png, 'image/png', overlays, { ...LIMITS, maxPixels: 89_999 }));
      await expectRefusal('PAGE_TOO_LARGE', () =>
        write(aPng(image, 'grey', { ...image, width: 30_000, height: 30_000 }), 'image/png', overlays),
      );
      await expectRefusal('PAGE_TOO_LARGE', () => write(jpeg, 'image/jpeg', overlays, { ...LIMITS, maxPixels: 2399 }));
      expect(await read(await write(png, 'image/png', overlays, { ...LIMITS, maxPixels: 90_000 }))).to.have.length(1);
    });
  });
};

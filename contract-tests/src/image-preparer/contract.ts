import { expect } from 'chai';
import type { BoundingBox, GreyImage, ImagePreparer, ImageMeasurements, PreparationStep } from '@palimpsest/core';
import { rejectionOf } from '../kit/expectations.ts';
import { openOnce } from '../kit/harness.ts';
import type { Open } from '../kit/harness.ts';
import { greyAt, greyWithin, markedImage, neverAborted } from '../kit/page-samples.ts';
import { describeWithTimeout } from '../kit/runner.ts';

const TIMEOUT_MS = 30_000;

/** Lines of dashes, similar to lines of words, that slope down to the right by `degrees`. */
const skewedLines = (degrees: number): GreyImage => {
  const image = markedImage(900, 1200);
  const slope = Math.tan((degrees * Math.PI) / 180);
  for (let line = 200; line < 1000; line += 40) {
    for (let x = 100; x < 800; x++) {
      if (x % 60 > 48) continue;
      const top = Math.round(line + (x - 450) * slope);
      for (let y = top; y < top + 14; y++) image.data[y * image.width + x] = 20;
    }
  }
  return image;
};

const shaded = (): GreyImage => {
  const image = markedImage(600, 800);
  image.data.forEach((_, i) => (image.data[i] = Math.round(255 - 150 * ((i % image.width) / image.width))));
  return image;
};

/** Tests every promise of {@link ImagePreparer}. */
export const describeImagePreparer = (name: string, open: Open<ImagePreparer>): void => {
  describeWithTimeout(`${name}, an ImagePreparer`, 60_000, () => {
    const opened = openOnce(open);
    const assess = (image: GreyImage): Promise<ImageMeasurements> =>
      opened().subject.assess(image, TIMEOUT_MS, neverAborted());
    const prepare = async (image: GreyImage, ...steps: readonly PreparationStep[]): Promise<GreyImage> => {
      const prepared = await opened().subject.prepare(image, steps, TIMEOUT_MS, neverAborted());
      expect(prepared.data.length, 'one byte a pixel').to.equal(prepared.width * prepared.height);
      return prepared;
    };
    const expectBox = (image: GreyImage, mark: BoundingBox, paper: BoundingBox): void => {
      expect(greyWithin(image, mark), 'the mark').to.be.below(60);
      expect(greyWithin(image, paper), 'the paper').to.be.above(220);
    };

    for (const degrees of [0, 2, -3, 7.5, -9]) {
      it(`measures a skew of ${degrees} degrees`, async () => {
        expect((await assess(skewedLines(degrees))).skewDegrees).to.be.closeTo(degrees, 0.5);
      });
    }

    it('measures no skew, no uneven background and no ink on an empty page', async () => {
      const { skewDegrees, backgroundRange, inkShare } = await assess(markedImage(900, 1200));
      expect(skewDegrees).to.equal(0);
      expect(backgroundRange).to.be.closeTo(0, 0.02);
      expect(inkShare).to.be.closeTo(0, 0.0001);
    });

    it('measures ink and uneven background separately', async () => {
      const lines = await assess(skewedLines(0));
      expect(lines.inkShare).to.be.within(0.02, 0.4);
      expect(lines.backgroundRange).to.be.below(0.1);
      const shading = await assess(shaded());
      expect(shading.backgroundRange).to.be.within(0.4, 0.65);
      expect(shading.inkShare).to.be.below(0.01);
    });

    it('does not mix concurrent measurements', async () => {
      const [skewed, straight, again] = await Promise.all([
        assess(skewedLines(5)),
        assess(skewedLines(0)),
        assess(skewedLines(5)),
      ]);
      expect(straight.skewDegrees).to.be.closeTo(0, 0.5);
      expect(again).to.deep.equal(skewed);
    });

    const marked = (): GreyImage => markedImage(100, 60, [10, 5, 30, 15]);

    for (const [degrees, size, box] of [
      [90, [60, 100], [46, 11, 54, 29]],
      [180, [100, 60], [71, 46, 89, 54]],
      [270, [60, 100], [6, 71, 14, 89]],
    ] as const) {
      it(`rotates by ${degrees} degrees clockwise (turn)`, async () => {
        const turned = await prepare(marked(), { kind: 'turn', degrees });
        expect([turned.width, turned.height]).to.deep.equal(size);
        expectBox(turned, box, [20, 20, 40, 40]);
      });
    }

    it('rotates clockwise about the centre, widens the image and fills with white', async () => {
      const image = markedImage(400, 400, [300, 190, 320, 210]);
      const rotated = await prepare(image, { kind: 'rotate', degrees: 30 });
      expect(rotated.width).to.be.closeTo(546, 3);
      expect(rotated.height).to.be.closeTo(546, 3);
      // A point 110 pixels to the right of the centre moves to 95 pixels to the right of the centre and 55 pixels below it.
      expectBox(rotated, [364, 324, 372, 332], [364, 214, 372, 222]);
      for (const [x, y] of [
        [2, 2],
        [540, 2],
        [2, 540],
        [540, 540],
      ] as const)
        expect(greyAt(rotated, x, y)).to.be.above(240);
    });

    it('straightens a page when rotated by the measured skew', async () => {
      const image = skewedLines(6);
      const { skewDegrees } = await assess(image);
      const straight = await prepare(image, { kind: 'rotate', degrees: -skewDegrees });
      expect((await assess(straight)).skewDegrees).to.be.closeTo(0, 0.5);
    });

    for (const factor of [2, 3] as const) {
      it(`enlarges by the factor ${factor}`, async () => {
        const large = await prepare(marked(), { kind: 'upscale', factor });
        expect([large.width, large.height]).to.deep.equal([100 * factor, 60 * factor]);
        expectBox(
          large,
          [12 * factor, 7 * factor, 28 * factor, 13 * factor],
          [50 * factor, 30 * factor, 90 * factor, 50 * factor],
        );
      });
    }

    it('removes single specks and keeps larger marks with `median`', async () => {
      const image = markedImage(100, 60, [10, 5, 30, 15], [60, 40, 61, 41], [80, 20, 81, 21]);
      const clean = await prepare(image, { kind: 'median', size: 3 });
      expect(greyAt(clean, 60, 40)).to.equal(255);
      expect(greyAt(clean, 80, 20)).to.equal(255);
      expectBox(clean, [12, 7, 28, 13], [50, 30, 90, 50]);
    });

    it('crops to the box, excluding its right and bottom edge', async () => {
      const cropped = await prepare(marked(), { kind: 'crop', box: [8, 4, 50, 40] });
      expect([cropped.width, cropped.height]).to.deep.equal([42, 36]);
      expectBox(cropped, [3, 2, 21, 10], [25, 14, 41, 35]);
    });

    for (const height of [30, 180]) {
      it(`scales proportionally to a height of ${height} pixels`, async () => {
        const scaled = await prepare(marked(), { kind: 'scale', height });
        const factor = height / 60;
        expect([scaled.width, scaled.height]).to.deep.equal([100 * factor, height]);
        expectBox(
          scaled,
          [14 * factor, 8 * factor, 26 * factor, 12 * factor],
          [50 * factor, 30 * factor, 90 * factor, 50 * factor],
        );
      });
    }

    it('applies the steps in order; without steps it returns the same image', async () => {
      const both = await prepare(marked(), { kind: 'upscale', factor: 2 }, { kind: 'turn', degrees: 90 });
      expect([both.width, both.height]).to.deep.equal([120, 200]);
      expectBox(both, [92, 24, 108, 56], [40, 60, 60, 80]);
      // The median removes a speck of one pixel, but not the enlarged speck.
      const speck = markedImage(60, 60, [30, 30, 31, 31]);
      const darkest = (image: GreyImage): number => image.data.reduce((least, value) => Math.min(least, value), 255);
      expect(darkest(await prepare(speck, { kind: 'median', size: 3 }, { kind: 'upscale', factor: 3 }))).to.be.above(
        200,
      );
      expect(darkest(await prepare(speck, { kind: 'upscale', factor: 3 }, { kind: 'median', size: 3 }))).to.be.below(
        200,
      );
      expect((await prepare(marked())).data).to.deep.equal(marked().data);
    });

    it('does not change the given image', async () => {
      const image = marked();
      await prepare(image, { kind: 'turn', degrees: 180 });
      await assess(image);
      expect(image).to.deep.equal(marked());
    });

    it('throws the reason when the signal aborts, and processes the next page', async () => {
      const reason = new Error('enough');
      const { subject } = opened();
      for (const work of [
        (signal: AbortSignal): Promise<unknown> => subject.assess(skewedLines(1), TIMEOUT_MS, signal),
        (signal: AbortSignal): Promise<unknown> =>
          subject.prepare(marked(), [{ kind: 'median', size: 3 }], TIMEOUT_MS, signal),
      ]) {
        const controller = new AbortController();
        const aborted = work(controller.signal);
        controller.abort(reason);
        expect(await rejectionOf(() => aborted)).to.equal(reason);
        expect(await rejectionOf(() => work(AbortSignal.abort(reason)))).to.equal(reason);
      }
      expect((await prepare(marked(), { kind: 'turn', degrees: 90 })).width).to.equal(60);
    });
  });
};

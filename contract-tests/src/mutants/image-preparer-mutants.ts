import { turnedSize } from '@palimpsest/core';
import type { Cancellation, GreyImage, ImagePreparer, ImageSigns, PreparationStep } from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';
import { turnImage } from '../ocr-engine/contract.ts';
import { takeTurn } from './page-fakes.ts';

/** The pixel of the image at a place that need not be whole: the nearest; white outside. */
const at = ({ width, height, data }: GreyImage, x: number, y: number): number => {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  return column < 0 || row < 0 || column >= width || row >= height ? 255 : (data[row * width + column] ?? 255);
};

const draw = (width: number, height: number, pixel: (x: number, y: number) => number): GreyImage => {
  const data = new Uint8Array(width * height);
  for (let i = 0; i < data.length; i++) data[i] = pixel((i % width) + 0.5, Math.floor(i / width) + 0.5);
  return { width, height, data };
};

const rotate = (image: GreyImage, degrees: number): GreyImage => {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const width = Math.round(Math.abs(image.width * cos) + Math.abs(image.height * sin));
  const height = Math.round(Math.abs(image.width * sin) + Math.abs(image.height * cos));
  return draw(width, height, (x, y) => {
    const [dx, dy] = [x - width / 2, y - height / 2];
    return at(image, cos * dx + sin * dy + image.width / 2, cos * dy - sin * dx + image.height / 2);
  });
};

const median = (image: GreyImage): GreyImage =>
  draw(image.width, image.height, (x, y) => {
    const around = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => at(image, x + dx, y + dy)));
    return around.sort((a, b) => a - b)[4] ?? 255;
  });

const inkOf = ({ width, height, data }: GreyImage): { x: number; y: number }[] => {
  const ink: { x: number; y: number }[] = [];
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 3) if ((data[y * width + x] ?? 255) < 90) ink.push({ x, y });
  return ink;
};

const energyAt = (ink: readonly { x: number; y: number }[], degrees: number): number => {
  const profile = new Map<number, number>();
  for (const { x, y } of ink) {
    const row = Math.round((y - x * Math.tan((degrees * Math.PI) / 180)) / 2);
    profile.set(row, (profile.get(row) ?? 0) + 1);
  }
  return [...profile.values()].reduce((sum, count) => sum + count * count, 0);
};

/** A sound preparer in this process, small enough to be broken in one place at a time. */
class PlainImagePreparer implements ImagePreparer {
  async assess(image: GreyImage, _timeoutMs: number, signal: Cancellation): Promise<ImageSigns> {
    await takeTurn(signal);
    const ink = inkOf(image);
    const angles = ink.length === 0 ? [] : Array.from({ length: 39 }, (_, i) => i / 2 - 9.5);
    const best = angles
      .map((degrees) => ({ degrees, energy: energyAt(ink, degrees) }))
      .reduce((a, b) => (b.energy > a.energy ? b : a), { degrees: 0, energy: 0 });
    const edges = [0.05, 0.95].map((share) => at(image, share * image.width, 20));
    const [left = 255, right = 255] = edges;
    return {
      skewDegrees: best.degrees,
      backgroundRange: Math.abs(left - right) / 255,
      inkShare: (ink.length * 6) / image.data.length,
    };
  }

  async prepare(
    image: GreyImage,
    steps: readonly PreparationStep[],
    _timeoutMs: number,
    signal: Cancellation,
  ): Promise<GreyImage> {
    await takeTurn(signal);
    return steps.reduce((prepared, step) => this.take(prepared, step), image);
  }

  protected take(image: GreyImage, step: PreparationStep): GreyImage {
    switch (step.kind) {
      case 'turn':
        return turnImage(image, step.degrees);
      case 'rotate':
        return rotate(image, step.degrees);
      case 'upscale':
        return draw(image.width * step.factor, image.height * step.factor, (x, y) =>
          at(image, x / step.factor, y / step.factor),
        );
      case 'median':
        return median(image);
      case 'crop': {
        const [left, top, right, bottom] = step.box;
        return draw(right - left, bottom - top, (x, y) => at(image, left + x, top + y));
      }
      case 'scale': {
        const factor = step.height / image.height;
        return draw(Math.round(image.width * factor), step.height, (x, y) => at(image, x / factor, y / factor));
      }
    }
  }
}

const openWith =
  (Preparer: typeof PlainImagePreparer): Open<ImagePreparer> =>
  async () => ({ subject: new Preparer(), close: async () => {} });

/** The preparer that the mutants are made of passes the suite. */
export const plainImagePreparer: Open<ImagePreparer> = openWith(PlainImagePreparer);

/** Broken preparers, by what is wrong with them. */
export const imagePreparerMutants: Readonly<Record<string, Open<ImagePreparer>>> = {
  'does nothing': openWith(
    class extends PlainImagePreparer {
      override prepare = async (image: GreyImage): Promise<GreyImage> => image;
    },
  ),
  'sees nothing': openWith(
    class extends PlainImagePreparer {
      override assess = async (): Promise<ImageSigns> => ({ skewDegrees: 0, backgroundRange: 0, inkShare: 0 });
    },
  ),
  'turns anticlockwise': openWith(
    class extends PlainImagePreparer {
      protected override take(image: GreyImage, step: PreparationStep): GreyImage {
        return step.kind === 'turn' && step.degrees !== 0
          ? turnImage(image, step.degrees === 90 ? 270 : step.degrees === 270 ? 90 : 180)
          : super.take(image, step);
      }
    },
  ),
  'rotates anticlockwise': openWith(
    class extends PlainImagePreparer {
      protected override take(image: GreyImage, step: PreparationStep): GreyImage {
        return super.take(image, step.kind === 'rotate' ? { ...step, degrees: -step.degrees } : step);
      }
    },
  ),
  'crops around the origin': openWith(
    class extends PlainImagePreparer {
      protected override take(image: GreyImage, step: PreparationStep): GreyImage {
        if (step.kind !== 'crop') return super.take(image, step);
        const [left, top, right, bottom] = step.box;
        return super.take(image, { kind: 'crop', box: [0, 0, right - left, bottom - top] });
      }
    },
  ),
  'crops one pixel too many': openWith(
    class extends PlainImagePreparer {
      protected override take(image: GreyImage, step: PreparationStep): GreyImage {
        if (step.kind !== 'crop') return super.take(image, step);
        const [left, top, right, bottom] = step.box;
        return super.take(image, { kind: 'crop', box: [left, top, right + 1, bottom] });
      }
    },
  ),
  'scales the height alone': openWith(
    class extends PlainImagePreparer {
      protected override take(image: GreyImage, step: PreparationStep): GreyImage {
        if (step.kind !== 'scale') return super.take(image, step);
        return draw(image.width, step.height, (x, y) => at(image, x, (y * image.height) / step.height));
      }
    },
  ),
  'never scales down': openWith(
    class extends PlainImagePreparer {
      protected override take(image: GreyImage, step: PreparationStep): GreyImage {
        return step.kind === 'scale' && step.height < image.height ? image : super.take(image, step);
      }
    },
  ),
  'fills with black': openWith(
    class extends PlainImagePreparer {
      protected override take(image: GreyImage, step: PreparationStep): GreyImage {
        const taken = super.take(image, step);
        if (step.kind === 'rotate') taken.data.fill(0, 0, taken.width * 3);
        return taken;
      }
    },
  ),
  'measures the skew the other way round': openWith(
    class extends PlainImagePreparer {
      override async assess(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<ImageSigns> {
        const signs = await super.assess(image, timeoutMs, signal);
        return { ...signs, skewDegrees: -signs.skewDegrees };
      }
    },
  ),
  'takes the first step only': openWith(
    class extends PlainImagePreparer {
      override prepare(
        image: GreyImage,
        steps: readonly PreparationStep[],
        timeoutMs: number,
        signal: Cancellation,
      ): Promise<GreyImage> {
        return super.prepare(image, steps.slice(0, 1), timeoutMs, signal);
      }
    },
  ),
  'takes the steps in an order of its own': openWith(
    class extends PlainImagePreparer {
      override prepare(
        image: GreyImage,
        steps: readonly PreparationStep[],
        timeoutMs: number,
        signal: Cancellation,
      ): Promise<GreyImage> {
        return super.prepare(
          image,
          [...steps].sort((a, b) => a.kind.localeCompare(b.kind)),
          timeoutMs,
          signal,
        );
      }
    },
  ),
  'keeps the signs of the image before': openWith(
    class extends PlainImagePreparer {
      #last: Promise<ImageSigns> | undefined;
      override assess(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<ImageSigns> {
        return (this.#last ??= super.assess(image, timeoutMs, signal));
      }
    },
  ),
  'writes into the image that it is given': openWith(
    class extends PlainImagePreparer {
      override async prepare(
        image: GreyImage,
        steps: readonly PreparationStep[],
        timeoutMs: number,
        signal: Cancellation,
      ): Promise<GreyImage> {
        const prepared = await super.prepare(image, steps, timeoutMs, signal);
        image.data.fill(0);
        return prepared;
      }
    },
  ),
  'keeps the old size after a turn': openWith(
    class extends PlainImagePreparer {
      protected override take(image: GreyImage, step: PreparationStep): GreyImage {
        const taken = super.take(image, step);
        return step.kind === 'turn' ? { ...taken, ...turnedSize(taken, step.degrees) } : taken;
      }
    },
  ),
  'ignores the signal': openWith(
    class extends PlainImagePreparer {
      override assess(image: GreyImage, timeoutMs: number): Promise<ImageSigns> {
        return super.assess(image, timeoutMs, new AbortController().signal);
      }
    },
  ),
};

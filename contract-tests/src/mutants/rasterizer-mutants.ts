import { isAppError, turnedSize } from '@palimpsest/core';
import type {
  BoundingBox,
  Cancellation,
  DecodeLimits,
  GreyImage,
  QuarterTurn,
  RasterDocument,
  Rasterizer,
} from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';
import { turnImage } from '../ocr-engine/contract.ts';
import { markedImage } from '../kit/page-samples.ts';
import { refusal, takeTurn } from './page-fakes.ts';

interface DrawnPage {
  readonly width: number; // points
  readonly height: number;
  readonly rotate: QuarterTurn;
  readonly mark: BoundingBox | undefined; // points from the lower left: x, y, width, height
  readonly isBomb: boolean;
}

/** As much of a PDF as the samples have: boxes, turns, one rectangle. */
const parsePages = (text: string): DrawnPage[] =>
  [...text.matchAll(/\/MediaBox \[0 0 (\S+) (\S+)\] \/Rotate (\d+)[^]*?stream\n([^]*?)\nendstream/g)].map(
    ([, width, height, rotate, content = '']) => {
      const [x, y, w, h] = (/0 g (\S+) (\S+) (\S+) (\S+) re f/.exec(content) ?? []).slice(1).map(Number);
      const turn = ([0, 90, 180, 270] satisfies QuarterTurn[]).find((turn) => turn === Number(rotate)) ?? 0;
      const hasMark = x !== undefined && y !== undefined && w !== undefined && h !== undefined;
      return {
        width: Number(width),
        height: Number(height),
        rotate: turn,
        mark: hasMark ? [x, y, w, h] : undefined,
        isBomb: content.startsWith('/X Do'),
      };
    },
  );

/** A rasteriser of the samples, small enough to be broken in one place at a time. */
class PlainRasterizer implements Rasterizer {
  readonly mediaTypes = ['application/pdf'];

  async open(file: Uint8Array, _limits: DecodeLimits, signal: Cancellation): Promise<RasterDocument> {
    await this.pause(signal);
    const text = Buffer.from(file).toString('latin1');
    if (!text.includes('/Catalog')) throw refusal('DOCUMENT_DAMAGED');
    if (text.includes('/Encrypt')) throw refusal('DOCUMENT_ENCRYPTED');
    const pages = parsePages(text);
    if (pages.length === 0) throw refusal('DOCUMENT_WITHOUT_PAGES');
    return {
      pageCount: pages.length,
      render: async (number, limits, signal) => {
        await this.pause(signal);
        const page = pages[this.indexOf(number)];
        if (page === undefined) throw new TypeError('no such page');
        if (page.isBomb) throw refusal('PAGE_TIMED_OUT');
        return this.draw(page, limits);
      },
      close: async () => {},
    };
  }

  protected pause(signal: Cancellation): Promise<void> {
    return takeTurn(signal);
  }

  protected indexOf(number: number): number {
    return number - 1;
  }

  protected draw({ width, height, rotate, mark }: DrawnPage, { maxPixels }: DecodeLimits): GreyImage {
    const scale = Math.min(300 / 72, Math.sqrt(maxPixels / width / height));
    const size = { width: Math.floor(width * scale), height: Math.floor(height * scale) };
    if (Math.min(size.width, size.height) < 2) throw refusal('PAGE_TOO_LARGE');
    const [x, y, w, h] = mark ?? [0, 0, 0, 0];
    const box = [x, height - y - h, x + w, height - y].map((value) => Math.round(value * scale));
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box;
    return turnImage(markedImage(size.width, size.height, [x0, y0, x1, y1]), rotate);
  }
}

const openWith =
  (Broken: typeof PlainRasterizer): Open<Rasterizer> =>
  async () => ({ subject: new Broken(), close: async () => {} });

const changingImage = (change: (image: GreyImage, page: DrawnPage) => GreyImage): Open<Rasterizer> =>
  openWith(
    class extends PlainRasterizer {
      protected override draw(page: DrawnPage, limits: DecodeLimits): GreyImage {
        return change(super.draw(page, limits), page);
      }
    },
  );

const forgiving = (...codes: Parameters<typeof refusal>): Open<Rasterizer> =>
  openWith(
    class extends PlainRasterizer {
      override async open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<RasterDocument> {
        try {
          return await super.open(file, limits, signal);
        } catch (error) {
          if (!isAppError(error, ...codes)) throw error;
          return { pageCount: 1, render: async () => markedImage(100, 100), close: async () => {} };
        }
      }
    },
  );

/** The rasteriser that the mutants are made of passes the suite. */
export const plainRasterizer: Open<Rasterizer> = openWith(PlainRasterizer);

/** Broken rasterisers of PDF, by what is wrong with them. */
export const rasterizerMutants: Readonly<Record<string, Open<Rasterizer>>> = {
  'gives an empty image': changingImage(() => ({ width: 1, height: 1, data: new Uint8Array([255]) })),
  'gives white pages': changingImage((image) => ({ ...image, data: image.data.map(() => 255) })),
  'gives the negative': changingImage((image) => ({ ...image, data: image.data.map((value) => 255 - value) })),
  'gives half of the page': changingImage((image) => ({
    ...image,
    data: image.data.map((value, i) => (i > image.data.length / 2 ? 255 : value)),
  })),
  'gives three bytes a pixel': changingImage((image) => ({ ...image, data: new Uint8Array(image.data.length * 3) })),
  'forgets to turn pages': changingImage((image, { rotate }) =>
    turnImage(image, ({ 0: 0, 90: 270, 180: 180, 270: 90 } as const)[rotate]),
  ),
  'swaps the sides but not the picture': changingImage((image, { rotate }) => ({
    ...image,
    ...turnedSize(image, rotate),
  })),
  'always renders the first page': openWith(
    class extends PlainRasterizer {
      protected override indexOf(): number {
        return 0;
      }
    },
  ),
  'counts pages from 0': openWith(
    class extends PlainRasterizer {
      protected override indexOf(number: number): number {
        return number === 3 ? 0 : number;
      }
    },
  ),
  'ignores the limit on pixels': openWith(
    class extends PlainRasterizer {
      protected override draw(page: DrawnPage): GreyImage {
        return super.draw(page, { maxPixels: 9_000_000, timeoutMs: 1000 });
      }
    },
  ),
  'renders at 72 dpi': openWith(
    class extends PlainRasterizer {
      protected override draw(page: DrawnPage, limits: DecodeLimits): GreyImage {
        return super.draw(page, { ...limits, maxPixels: Math.min(limits.maxPixels, page.width * page.height) });
      }
    },
  ),
  'gives a pixel for a page without area': openWith(
    class extends PlainRasterizer {
      protected override draw(page: DrawnPage, limits: DecodeLimits): GreyImage {
        try {
          return super.draw(page, limits);
        } catch {
          return markedImage(1, 1);
        }
      }
    },
  ),
  'renders the document that was opened last': openWith(
    class extends PlainRasterizer {
      #last: RasterDocument | undefined;
      override async open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<RasterDocument> {
        const document = await super.open(file, limits, signal);
        this.#last = document;
        return { ...document, render: async (...request) => (this.#last ?? document).render(...request) };
      }
    },
  ),
  'opens encrypted files as blank pages': forgiving('DOCUMENT_ENCRYPTED'),
  'opens broken files as blank pages': forgiving('DOCUMENT_DAMAGED'),
  'opens files without pages': forgiving('DOCUMENT_WITHOUT_PAGES'),
  'writes into the file': openWith(
    class extends PlainRasterizer {
      override async open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<RasterDocument> {
        const document = await super.open(file, limits, signal);
        file.fill(0);
        return document;
      }
    },
  ),
  'cannot be closed twice': openWith(
    class extends PlainRasterizer {
      override async open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<RasterDocument> {
        let isClosed = false;
        const close = async (): Promise<void> => {
          if (isClosed) throw new Error('closed');
          isClosed = true;
        };
        return { ...(await super.open(file, limits, signal)), close };
      }
    },
  ),
  'throws an error of its own when it is aborted before it renders': openWith(
    class extends PlainRasterizer {
      override async open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<RasterDocument> {
        const document = await super.open(file, limits, signal);
        const render: RasterDocument['render'] = async (number, ...rest) => {
          if (rest[1].aborted) throw new Error('aborted');
          return document.render(number, ...rest);
        };
        return { ...document, render };
      }
    },
  ),
  'ignores the signal': openWith(
    class extends PlainRasterizer {
      protected override pause(): Promise<void> {
        return super.pause(new AbortController().signal);
      }
    },
  ),
};

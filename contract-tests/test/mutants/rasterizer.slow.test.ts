import {
  isAppError,
  type DecodeLimits,
  type ErrorCode,
  type GreyImage,
  type RasterDocument,
  type Rasterizer,
} from '@palimpsest/core';
import { openPdfium } from '@palimpsest/pdfium';
import { openSharp } from '@palimpsest/sharp';
import { describeJpegRasterizer, describePdfRasterizer, describePngRasterizer } from '../../src/index.ts';
import { markedImage } from '../../src/kit/page-samples.ts';
import { turnImage } from '../../src/ocr-engine/images.ts';
import { changed, describeMutants, type Mutant, type Mutants } from './mutant.ts';

const neverAborted = new AbortController().signal;

/** Changes the documents that are opened. */
const opening =
  (change: (document: RasterDocument, file: Uint8Array) => Partial<RasterDocument>): Mutant<Rasterizer> =>
  (original) => ({
    open: async (file, limits, signal) => {
      const document = await original.open(file, limits, signal);
      return changed(document, change(document, file));
    },
  });

/** Changes the images of pages. */
const rendering = (change: (image: GreyImage, number: number) => GreyImage): Mutant<Rasterizer> =>
  opening((document) => ({
    render: async (number, limits, signal) => {
      const image = await document.render(number, limits, signal);
      return { ...image, ...change(image, number) };
    },
  }));

/** Changes the limits within which a file is opened and rendered. */
const within =
  (change: (limits: DecodeLimits) => Partial<DecodeLimits>): Mutant<Rasterizer> =>
  (original) => ({
    open: async (file, limits, signal) => {
      const document = await original.open(file, { ...limits, ...change(limits) }, signal);
      return changed(document, {
        render: (number, limits, signal) => document.render(number, { ...limits, ...change(limits) }, signal),
      });
    },
  });

/** Opens a file as one blank page instead of throwing this code. */
const forgiving =
  (code: ErrorCode): Mutant<Rasterizer> =>
  (original) => ({
    open: async (file, limits, signal) => {
      try {
        return await original.open(file, limits, signal);
      } catch (error) {
        if (!isAppError(error, code)) throw error;
        return { pageCount: 1, render: async () => ({ ...markedImage(100, 100), dpi: 300 }), close: async () => {} };
      }
    },
  });

const common: Mutants<Rasterizer> = {
  'returns inverted images': rendering((image) => ({ ...image, data: image.data.map((value) => 255 - value) })),
  'ignores the limit of pixels': within(() => ({ maxPixels: 50_000_000 })),
  'opens damaged files as blank pages': forgiving('DOCUMENT_DAMAGED'),
  'writes into the file': opening((document, file) => {
    file.fill(0);
    return {};
  }),
  'throws when a document is closed twice': opening((document) => {
    let isClosed = false;
    return {
      close: async () => {
        if (isClosed) throw new Error('closed');
        isClosed = true;
        await document.close();
      },
    };
  }),
  'ignores the abort signal': opening((document) => ({
    render: (number, limits) => document.render(number, limits, neverAborted),
  })),
};

describe('mutants of PDFium', () => {
  const { rasterizer, close } = openPdfium({ children: 2 });
  after(close);
  describeMutants('Rasterizer for PDF', describePdfRasterizer, () => rasterizer, {
    ...common,
    'ignores the rotation of pages': (original) => ({
      open: (file, limits, signal) => {
        const text = Buffer.from(file).toString('latin1').replaceAll('/Rotate 90', '/Rotate 00');
        return original.open(Buffer.from(text.replaceAll('/Rotate 270', '/Rotate 000'), 'latin1'), limits, signal);
      },
    }),
    'swaps width and height of a rotated page': rendering((image) =>
      image.width > image.height ? { ...image, width: image.height, height: image.width } : image,
    ),
    'counts pages from 0': opening((document) => ({
      render: (number, limits, signal) => document.render((number % document.pageCount) + 1, limits, signal),
    })),
    'renders at 72 dpi': within(({ maxPixels }) => ({ maxPixels: Math.min(maxPixels, 612 * 792) })),
    'opens encrypted files as blank pages': forgiving('DOCUMENT_ENCRYPTED'),
    'renders the document that was opened last': (original) => {
      let last: RasterDocument;
      return opening((document) => {
        last = document;
        return { render: (...request) => last.render(...request) };
      })(original, undefined as never);
    },
  });
});

describe('mutants of sharp', () => {
  const { rasterizer, close } = openSharp({ children: 2 });
  after(close);
  describeMutants(
    'Rasterizer for PNG and JPEG',
    (name, open) => {
      describePngRasterizer(name, open);
      describeJpegRasterizer(name, open);
    },
    () => rasterizer,
    {
      ...common,
      'ignores the orientation in EXIF': rendering((image) =>
        image.width === 40 && image.height === 60 ? turnImage(image, 270) : image,
      ),
    },
  );
});

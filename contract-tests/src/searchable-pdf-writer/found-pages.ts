import type {
  BoundingBox,
  Cancellation,
  GreyImage,
  MediaType,
  SearchablePdfWriter,
  Size,
  TextOverlay,
} from '@palimpsest/core';
import { expect } from 'chai';
import type { Opened } from '../kit/harness.ts';
import { greyWithin, neverAborted } from '../kit/page-samples.ts';
import { markedPdf } from '../kit/pdf-samples.ts';
import type { MarkedPage, PdfOddities } from '../kit/pdf-samples.ts';

/** A word that a PDF reader finds, in points from the top left of the displayed page. */
export interface FoundWord {
  readonly text: string;
  readonly bbox: BoundingBox;
}

/** A page that a PDF reader finds. */
export interface FoundPage extends Size {
  readonly words: readonly FoundWord[]; // in the order in which they are read
}

/** A writer, and an independent reader and renderer of PDF files. */
export interface ReadSearchablePdfs {
  readonly writer: SearchablePdfWriter;
  readonly read: (pdf: Uint8Array) => Promise<readonly FoundPage[]>; // sizes in points
  readonly render: (pdf: Uint8Array, number: number) => Promise<GreyImage>;
}

/** The limits that the suite passes. */
export const LIMITS = { maxPixels: 50_000_000, timeoutMs: 30_000 };
const NEAR = 2; // points
const DARK = 110;
const LIGHT = 200;

/** A word of an overlay. */
export type OverlaidWord = TextOverlay['words'][number];

const normalised = (text: string): string => text.normalize('NFKC');

/** The box on an enlarged page. */
export const scaled = ([x0, y0, x1, y1]: BoundingBox, across: number, down = across): BoundingBox => [
  x0 * across,
  y0 * down,
  x1 * across,
  y1 * down,
];

/** The box in whole pixels. */
export const rounded = ([x0, y0, x1, y1]: BoundingBox): BoundingBox => [
  Math.round(x0),
  Math.round(y0),
  Math.round(x1),
  Math.round(y1),
];

/** Fails if an edge of the box differs by more than 2 points. */
export const expectNear = (found: BoundingBox, wanted: BoundingBox, what: string): void => {
  const farthest = Math.max(...found.map((edge, i) => Math.abs(edge - (wanted[i] ?? Number.NaN))));
  expect(
    farthest,
    `${what} at ${found.map((edge) => edge.toFixed(1)).join(' ')} instead of ${wanted.join(' ')}`,
  ).to.be.at.most(NEAR);
};

/** Fails unless the page has the words of the overlay in order and at their boxes. */
export const expectWords = (page: FoundPage | undefined, { width, height, words }: TextOverlay): void => {
  expect(page?.words.map(({ text }) => normalised(text))).to.deep.equal(words.map(({ text }) => normalised(text)));
  words.forEach(({ text, bbox }, i) => {
    const found = page?.words[i];
    if (page !== undefined && found !== undefined)
      expectNear(found.bbox, scaled(bbox, page.width / width, page.height / height), text);
  });
};

/** Fails unless the page is dark within `mark` and light elsewhere. `mark` is in the units of the size `of`. */
export const expectMark = (image: GreyImage, mark: BoundingBox, of: Size): void => {
  const [x0, y0, x1, y1] = rounded(scaled(mark, image.width / of.width, image.height / of.height));
  const inner: BoundingBox = [x0 + 2, y0 + 2, x1 - 2, y1 - 2];
  expect(greyWithin(image, inner), 'the mark').to.be.below(DARK);
  const area = image.width * image.height;
  const outside =
    (greyWithin(image, [0, 0, image.width, image.height]) * area -
      greyWithin(image, [x0, y0, x1, y1]) * (x1 - x0) * (y1 - y0)) /
    (area - (x1 - x0) * (y1 - y0));
  expect(outside, 'the paper').to.be.above(LIGHT);
};

const differing = (a: GreyImage, b: GreyImage): number =>
  a.data.reduce((count, value, i) => count + (Math.abs(value - (b.data[i] ?? -1)) > 8 ? 1 : 0), 0);

/** The functions that the tests use. */
export interface WriterTools {
  readonly write: (
    file: Uint8Array,
    mediaType: MediaType,
    overlays: readonly TextOverlay[],
    limits?: typeof LIMITS,
    signal?: Cancellation,
  ) => Promise<Uint8Array>;
  readonly writePdf: (
    pages: readonly MarkedPage[],
    overlays: readonly TextOverlay[],
    oddities?: PdfOddities,
  ) => Promise<Uint8Array>;
  readonly read: ReadSearchablePdfs['read'];
  readonly render: (pdf: Uint8Array, number?: number) => Promise<GreyImage>;
  readonly expectSameAppearance: (before: Uint8Array, after: Uint8Array, number?: number) => Promise<void>;
}

/** Creates the functions for the open adapter. */
export const writerTools = (opened: () => Opened<ReadSearchablePdfs>): WriterTools => {
  const write: WriterTools['write'] = (file, mediaType, overlays, limits = LIMITS, signal = neverAborted()) =>
    opened().subject.writer.write({ file, mediaType }, overlays, limits, signal);
  const render: WriterTools['render'] = (pdf, number = 1) => opened().subject.render(pdf, number);
  return {
    write,
    render,
    writePdf: (pages, overlays, oddities = {}) => write(markedPdf(pages, oddities), 'application/pdf', overlays),
    read: (pdf) => opened().subject.read(pdf),
    expectSameAppearance: async (before, after, number = 1) => {
      const [old, now] = [await render(before, number), await render(after, number)];
      expect([now.width, now.height]).to.deep.equal([old.width, old.height]);
      expect(differing(old, now), 'pixels that differ').to.equal(0);
    },
  };
};

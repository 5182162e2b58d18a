import { inflateSync } from 'node:zlib';
import { turnBox, turnedSize } from '@palimpsest/core';
import type {
  BoundingBox,
  Cancellation,
  DecodeLimits,
  GreyImage,
  SearchablePdfWriter,
  SearchableSource,
  Size,
  TextOverlay,
} from '@palimpsest/core';
import { exifOrientation, uprightMark } from '../searchable-pdf-writer/exif-samples.ts';
import type { Open } from '../kit/harness.ts';
import { turnImage } from '../ocr-engine/contract.ts';
import { markedImage } from '../kit/page-samples.ts';
import { describedPages, shownMark, shownSize } from '../kit/pdf-samples.ts';
import type { MarkedPage } from '../kit/pdf-samples.ts';
import type { FoundPage, FoundWord, ReadSearchablePdfs } from '../searchable-pdf-writer/found-pages.ts';
import { refusal, takeTurn } from './page-fakes.ts';

/** A page as it is shown. */
export interface PlainPage extends FoundPage {
  readonly image: GreyImage;
  readonly of?: MarkedPage; // what the sample says of it
}

const PX_PER_PT = 2;
const LETTER_WIDTH = 6; // points, of the samples' own text
const LINE_HEIGHT = 9;
const WHITE = 255;

const scaled = ([x0, y0, x1, y1]: BoundingBox, across: number, down: number): BoundingBox => [
  x0 * across,
  y0 * down,
  x1 * across,
  y1 * down,
];

const wordsOf = (page: MarkedPage): FoundWord[] => {
  const { line } = page;
  if (line === undefined) return [];
  const at = { x: line.x };
  return line.text.split(' ').map((text) => {
    const mark = [at.x, line.y, at.x + text.length * LETTER_WIDTH, line.y + LINE_HEIGHT] as const;
    at.x = mark[2] + LETTER_WIDTH;
    return { text, bbox: shownMark({ ...page, mark }) };
  });
};

const pdfPage = (page: MarkedPage): PlainPage => {
  const { width, height } = shownSize(page);
  const [x0, y0, x1, y1] = scaled(shownMark(page), PX_PER_PT, PX_PER_PT);
  const image = markedImage(width * PX_PER_PT, height * PX_PER_PT, [x0, y0, x1, y1]);
  return { width, height, words: wordsOf(page), image, of: page };
};

/** As much of a PDF as the samples have. */
const pdfPages = (file: Uint8Array): readonly PlainPage[] => {
  const described = describedPages(file);
  if (described !== undefined) return described.map(pdfPage);
  throw refusal(Buffer.from(file).includes('/Encrypt') ? 'DOCUMENT_ENCRYPTED' : 'DOCUMENT_DAMAGED');
};

const picture = (image: GreyImage): PlainPage => ({ width: image.width, height: image.height, words: [], image });

const jpegPages = (file: Uint8Array, maxPixels: number): readonly PlainPage[] => {
  if (file[0] !== 0xff || file.at(-1) !== 0xd9) throw refusal('DOCUMENT_DAMAGED');
  const { size, mark } = uprightMark(exifOrientation(file));
  if (size.width * size.height > maxPixels) throw refusal('PAGE_TOO_LARGE');
  return [picture(markedImage(size.width, size.height, mark))];
};

const HEADER_END = 33;

/** The grey of the pixel at a place in the rows of the PNG samples: on white where it is transparent. */
const greyAt = (rows: Uint8Array, at: number, colourType: number): number => {
  const value = rows[at] ?? 0;
  if (colourType !== 6) return value;
  const alpha = rows[at + 3] ?? WHITE;
  return Math.round((value * alpha + WHITE * (WHITE - alpha)) / WHITE);
};

const pngPages = (given: Uint8Array, maxPixels: number): readonly PlainPage[] => {
  const file = Buffer.from(given);
  if (file.length < HEADER_END || file[0] !== 0x89) throw refusal('DOCUMENT_DAMAGED');
  const [width, height, depth = 8, colourType = 0] = [file.readUInt32BE(16), file.readUInt32BE(20), file[24], file[25]];
  if (width * height > maxPixels) throw refusal('PAGE_TOO_LARGE');
  if (file.toString('latin1', file.length - 8, file.length - 4) !== 'IEND') throw refusal('DOCUMENT_DAMAGED');
  const bytes = ((colourType === 6 ? 4 : colourType === 2 ? 3 : 1) * depth) / 8;
  const rows = inflateSync(file.subarray(HEADER_END + 8, HEADER_END + 8 + file.readUInt32BE(HEADER_END)));
  const data = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) data[i] = greyAt(rows, y * (width * bytes + 1) + 1 + x * bytes, colourType);
  }
  return [picture({ width, height, data })];
};

// What was written, by the file that stands for it.
const written = new WeakMap<Uint8Array, readonly PlainPage[]>();

const pagesIn = (pdf: Uint8Array): readonly PlainPage[] => written.get(pdf) ?? pdfPages(pdf);

const BYTES_PER_WORD = 20;
const SHORTEST_MS = 10;
const READABLE = /^[\p{L}\p{N}\p{P}\p{S}\p{M}\u200d]+$/u;

/** A sound writer in this process, small enough to be broken in one place at a time. Its files only stand for PDFs. */
export class PlainSearchablePdfWriter implements SearchablePdfWriter {
  async write(
    source: SearchableSource,
    overlays: readonly TextOverlay[],
    limits: DecodeLimits,
    signal: Cancellation,
  ): Promise<Uint8Array> {
    await this.pause(signal);
    this.checkTime(limits);
    const pages = this.open(source, limits);
    this.checkNumbers(pages, overlays);
    const laid = pages.map((page, index) => {
      const overlay = this.overlayFor(overlays, index + 1);
      return overlay === undefined ? page : this.lay(this.turn(page, overlay), overlay);
    });
    const words = laid.reduce((count, page) => count + page.words.length, 0);
    const file = new Uint8Array(this.fileLength(source.file.length, words));
    written.set(file, laid);
    return file;
  }

  protected pause(signal: Cancellation): Promise<void> {
    return takeTurn(signal);
  }

  protected checkTime({ timeoutMs }: DecodeLimits): void {
    if (timeoutMs < SHORTEST_MS) throw refusal('PAGE_TIMED_OUT');
  }

  protected open({ file, mediaType }: SearchableSource, { maxPixels }: DecodeLimits): readonly PlainPage[] {
    if (mediaType === 'application/pdf') return pdfPages(file);
    return mediaType === 'image/png' ? pngPages(file, maxPixels) : jpegPages(file, maxPixels);
  }

  protected checkNumbers(pages: readonly PlainPage[], overlays: readonly TextOverlay[]): void {
    if (overlays.some(({ number }) => number > pages.length)) throw refusal('DOCUMENT_DAMAGED');
  }

  protected overlayFor(overlays: readonly TextOverlay[], number: number): TextOverlay | undefined {
    return overlays.find((overlay) => overlay.number === number);
  }

  protected turn(page: PlainPage, { rotation }: TextOverlay): PlainPage {
    const words = page.words.map(({ text, bbox }) => ({ text, bbox: turnBox(bbox, page, rotation) }));
    return { ...page, ...turnedSize(page, rotation), image: turnImage(page.image, rotation), words };
  }

  protected lay(page: PlainPage, overlay: TextOverlay): PlainPage {
    const words = this.readable(overlay).map(({ text, bbox }) => ({
      text: this.spell(text),
      bbox: this.place(bbox, overlay, page),
    }));
    return { ...page, words: [...page.words, ...words] };
  }

  protected readable({ words }: TextOverlay): TextOverlay['words'] {
    return words.filter(({ text }) => READABLE.test(text));
  }

  protected spell(text: string): string {
    return text;
  }

  protected place(bbox: BoundingBox, { width, height }: Size, page: PlainPage): BoundingBox {
    return scaled(bbox, page.width / width, page.height / height);
  }

  protected fileLength(sourceLength: number, words: number): number {
    return sourceLength + words * BYTES_PER_WORD;
  }
}

/** A harness for a writer made of the plain one: what it wrote is read as it was meant. */
export const openWriter =
  (Writer: new () => SearchablePdfWriter): Open<ReadSearchablePdfs> =>
  async () => ({
    subject: {
      writer: new Writer(),
      read: async (pdf) => pagesIn(pdf).map(({ width, height, words }) => ({ width, height, words })),
      render: async (pdf, number) => pagesIn(pdf)[number - 1]?.image ?? markedImage(2, 2),
    },
    close: async () => {},
  });

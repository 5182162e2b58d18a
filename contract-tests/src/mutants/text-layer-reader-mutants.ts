import { isAppError } from '@palimpsest/core';
import type {
  BoundingBox,
  Cancellation,
  DecodeLimits,
  ErrorCode,
  TextLayerDocument,
  TextLayerPage,
  TextLayerReader,
  Word,
} from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';
import { refusal, takeTurn } from './page-fakes.ts';

interface WrittenPage {
  readonly isTurned: boolean;
  readonly lines: readonly { readonly text: string; readonly x: number; readonly y: number }[]; // points from the lower left
}

/** As much of a PDF as the samples have: lines of text at 24 points, a turn by 90 degrees. */
const parsePages = (text: string): WrittenPage[] =>
  [...text.matchAll(/\/Rotate (\d+)[^]*?stream\n([^]*?)\nendstream/g)].map(([, rotate, content = '']) => ({
    isTurned: rotate === '90',
    lines: [...content.matchAll(/24 Tf (\S+) (\S+) Td \((.*?)\) Tj/g)].map(([, x, y, line = '']) => ({
      text: line,
      x: Number(x),
      y: Number(y),
    })),
  }));

const PARAGRAPH_GAP_PT = 50;
const LETTER_PT = 12.5;

/** A reader of the samples, small enough to be broken in one place at a time. */
class PlainTextLayerReader implements TextLayerReader {
  readonly mediaTypes = ['application/pdf'];

  async open(file: Uint8Array, _limits: DecodeLimits, signal: Cancellation): Promise<TextLayerDocument> {
    await this.pause(signal);
    const text = Buffer.from(file).toString('latin1');
    if (!text.includes('/Catalog')) throw refusal('DOCUMENT_DAMAGED');
    if (text.includes('/Encrypt')) throw refusal('DOCUMENT_ENCRYPTED');
    const pages = parsePages(text);
    if (pages.length === 0) throw refusal('DOCUMENT_WITHOUT_PAGES');
    return {
      pageCount: pages.length,
      read: async (number, { maxPixels }, signal) => {
        await this.pause(signal);
        const page = pages[this.indexOf(number)];
        if (page === undefined) throw new TypeError('no such page');
        return this.write(page, this.scaleFor(maxPixels));
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

  protected scaleFor(maxPixels: number): number {
    return Math.min(300 / 72, Math.sqrt(maxPixels / 612 / 792));
  }

  protected write({ lines, isTurned }: WrittenPage, scale: number): TextLayerPage {
    const words: Word[] = [];
    let text = '';
    let block = 0;
    lines.forEach(({ text: content, x, y }, line) => {
      const above = lines[line - 1];
      const isNewBlock = above !== undefined && above.y - y > PARAGRAPH_GAP_PT;
      if (isNewBlock) block++;
      text += `${line === 0 ? '' : isNewBlock ? '\n\n' : '\n'}${content}`;
      let left = x;
      for (const word of content.split(' ')) {
        const [top, bottom] = [792 - y - 17, 792 - y + 5];
        const right = left + word.length * LETTER_PT;
        const upright: BoundingBox = isTurned ? [y - 5, left, y + 17, right] : [left, top, right, bottom];
        const [x0, y0, x1, y1] = upright;
        words.push({ text: word, confidence: 1, bbox: [x0 * scale, y0 * scale, x1 * scale, y1 * scale], line, block });
        left = right + LETTER_PT / 2;
      }
    });
    const [width, height] = [Math.floor(612 * scale), Math.floor(792 * scale)];
    return {
      text,
      words,
      confidence: words.length === 0 ? 0 : 1,
      ...(isTurned ? { width: height, height: width } : { width, height }),
    };
  }
}

const openWith =
  (Reader: typeof PlainTextLayerReader): Open<TextLayerReader> =>
  async () => ({ subject: new Reader(), close: async () => {} });

const changingPage = (change: (page: TextLayerPage, written: WrittenPage) => TextLayerPage): Open<TextLayerReader> =>
  openWith(
    class extends PlainTextLayerReader {
      protected override write(written: WrittenPage, scale: number): TextLayerPage {
        return change(super.write(written, scale), written);
      }
    },
  );

const changingBoxes = (change: (box: BoundingBox, page: TextLayerPage) => BoundingBox): Open<TextLayerReader> =>
  changingPage((page) => ({ ...page, words: page.words.map((word) => ({ ...word, bbox: change(word.bbox, page) })) }));

const forgiving = (code: ErrorCode): Open<TextLayerReader> =>
  openWith(
    class extends PlainTextLayerReader {
      override async open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<TextLayerDocument> {
        try {
          return await super.open(file, limits, signal);
        } catch (error) {
          if (!isAppError(error, code)) throw error;
          return {
            pageCount: 1,
            read: async () => this.write({ lines: [], isTurned: false }, 1),
            close: async () => {},
          };
        }
      }
    },
  );

/** The reader that the mutants are made of passes the suite. */
export const plainTextLayerReader: Open<TextLayerReader> = openWith(PlainTextLayerReader);

/** Broken readers, by what is wrong with them. */
export const textLayerReaderMutants: Readonly<Record<string, Open<TextLayerReader>>> = {
  'reads nothing': changingPage((page) => ({ ...page, text: '', words: [] })),
  'gives a text without words': changingPage((page) => ({ ...page, words: [] })),
  'loses the line ends': changingPage((page) => ({ ...page, text: page.text.replaceAll('\n', ' ') })),
  'loses the paragraphs': changingPage((page) => ({
    ...page,
    text: page.text.replaceAll('\n\n', '\n'),
    words: page.words.map((word) => ({ ...word, block: 0 })),
  })),
  'gives half of the words': changingPage((page) => ({
    ...page,
    words: page.words.slice(0, Math.ceil(page.words.length / 2)),
  })),
  'numbers lines from 1': changingPage((page) => ({
    ...page,
    words: page.words.map((word) => ({ ...word, line: word.line + 1 })),
  })),
  'is sure of pages without text': changingPage((page) => ({ ...page, confidence: 1 })),
  'counts boxes from the bottom': changingBoxes(([x0, y0, x1, y1], { height }) => [x0, height - y1, x1, height - y0]),
  'gives boxes in points': changingBoxes(([x0, y0, x1, y1]) => [x0 / 4, y0 / 4, x1 / 4, y1 / 4]),
  'gives boxes as width and height': changingBoxes(([x0, y0, x1, y1]) => [x0, y0, x1 - x0, y1 - y0]),
  'forgets that pages are turned': openWith(
    class extends PlainTextLayerReader {
      protected override write(written: WrittenPage, scale: number): TextLayerPage {
        return super.write({ ...written, isTurned: false }, scale);
      }
    },
  ),
  'ignores the limit on pixels': openWith(
    class extends PlainTextLayerReader {
      protected override scaleFor(): number {
        return 300 / 72;
      }
    },
  ),
  'always reads the first page': openWith(
    class extends PlainTextLayerReader {
      protected override indexOf(): number {
        return 0;
      }
    },
  ),
  'reads the document that was opened last': openWith(
    class extends PlainTextLayerReader {
      #last: TextLayerDocument | undefined;
      override async open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<TextLayerDocument> {
        const document = await super.open(file, limits, signal);
        this.#last = document;
        return { ...document, read: async (...request) => (this.#last ?? document).read(...request) };
      }
    },
  ),
  'opens encrypted files': forgiving('DOCUMENT_ENCRYPTED'),
  'opens broken files': forgiving('DOCUMENT_DAMAGED'),
  'opens files without pages': forgiving('DOCUMENT_WITHOUT_PAGES'),
  'ignores the signal': openWith(
    class extends PlainTextLayerReader {
      protected override pause(): Promise<void> {
        return super.pause(new AbortController().signal);
      }
    },
  ),
};

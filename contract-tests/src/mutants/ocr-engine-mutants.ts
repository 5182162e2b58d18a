import type {
  BoundingBox,
  Cancellation,
  GreyImage,
  OcrEngine,
  OcrRequest,
  Orientation,
  PageText,
  QuarterTurn,
  Word,
} from '@palimpsest/core';
import type { Open } from '../kit/harness.ts';
import { shadeImage, turnImage } from '../ocr-engine/contract.ts';
import { textSample } from '../kit/page-samples.ts';
import type { TextSample } from '../kit/page-samples.ts';
import { isSameImage, refusal, takeTurn } from './page-fakes.ts';

const EMPTY: PageText = { text: '', confidence: 0, words: [] };
const CONFIDENCE = 0.9;
const FASTEST_MS = 20;

/** The reading of a sample by what is known of it: words 24 pixels a letter wide, a line every 62 pixels. */
const readingOf = ({ text }: TextSample): PageText => {
  const words: Word[] = [];
  let [line, block] = [-1, 0];
  text.split('\n').forEach((content, row) => {
    if (content === '') return void block++;
    line++;
    let left = 91;
    for (const word of content.split(' ')) {
      const box: BoundingBox = [left, 110 + row * 62, Math.min(left + word.length * 20, 1240), 140 + row * 62];
      words.push({ text: word, confidence: CONFIDENCE, bbox: box, line, block });
      left += word.length * 20 + 10;
    }
  });
  return { text, confidence: CONFIDENCE, words };
};

/** An engine that knows the samples, small enough to be broken in one place at a time. */
class PlainOcrEngine implements OcrEngine {
  readonly name: string = 'plain';

  async supports(language: string): Promise<boolean> {
    return language === 'eng';
  }

  async recognize(image: GreyImage, request: OcrRequest, signal: Cancellation): Promise<PageText> {
    await this.begin(image, request.timeoutMs, signal);
    return this.read(image, request);
  }

  async detectOrientation(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<Orientation | undefined> {
    await this.begin(image, timeoutMs, signal);
    const sample = await textSample('harbour');
    const turn = ([0, 90, 180, 270] satisfies QuarterTurn[]).find((turn) =>
      isSameImage(image, turnImage(sample.image, turn)),
    );
    return turn === undefined ? undefined : { degrees: this.turnBack(turn), confidence: 10 };
  }

  protected turnBack(turn: QuarterTurn): QuarterTurn {
    return ({ 0: 0, 90: 270, 180: 180, 270: 90 } as const)[turn];
  }

  protected async begin(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<void> {
    await takeTurn(signal);
    if (Math.max(image.width, image.height) > 32_767) throw refusal('PAGE_TOO_LARGE');
    if (timeoutMs < FASTEST_MS) throw refusal('PAGE_TIMED_OUT');
  }

  protected async read(image: GreyImage, { threshold }: OcrRequest): Promise<PageText> {
    for (const name of ['harbour', 'orchard'] as const) {
      const sample = await textSample(name);
      const isShaded = threshold === 'adaptive' && isSameImage(image, shadeImage(sample.image));
      if (isShaded || isSameImage(image, sample.image)) return readingOf(sample);
    }
    return EMPTY;
  }
}

const openWith =
  (Engine: typeof PlainOcrEngine): Open<OcrEngine> =>
  async () => ({ subject: new Engine(), close: async () => {} });

const changingWords = (change: (word: Word, i: number, words: readonly Word[]) => Word): Open<OcrEngine> =>
  openWith(
    class extends PlainOcrEngine {
      protected override async read(image: GreyImage, request: OcrRequest): Promise<PageText> {
        const page = await super.read(image, request);
        return { ...page, words: page.words.map(change) };
      }
    },
  );

const changingPage = (change: (page: PageText, image: GreyImage) => PageText): Open<OcrEngine> =>
  openWith(
    class extends PlainOcrEngine {
      protected override async read(image: GreyImage, request: OcrRequest): Promise<PageText> {
        return change(await super.read(image, request), image);
      }
    },
  );

/** The engine that the mutants are made of passes the suite. */
export const plainOcrEngine: Open<OcrEngine> = openWith(PlainOcrEngine);

/** Broken engines, by what is wrong with them. */
export const ocrEngineMutants: Readonly<Record<string, Open<OcrEngine>>> = {
  'reads nothing': changingPage(() => EMPTY),
  'reads the first line only': changingPage((page) => ({ ...page, text: page.text.split('\n')[0] ?? '' })),
  'loses the paragraphs': changingPage((page) => ({ ...page, text: page.text.replaceAll('\n\n', '\n') })),
  'gives half of the words': changingPage((page) => ({ ...page, words: page.words.slice(0, page.words.length / 2) })),
  'loses the last word': changingPage((page) => ({ ...page, words: page.words.slice(0, -1) })),
  'gives confidence in percent': changingPage((page) => ({
    ...page,
    confidence: page.confidence * 100,
    words: page.words.map((word) => ({ ...word, confidence: word.confidence * 100 })),
  })),
  'is sure of everything as a page': changingPage((page) => ({ ...page, confidence: 1 })),
  'gives boxes as width and height': changingWords((word) => ({
    ...word,
    bbox: [word.bbox[0], word.bbox[1], word.bbox[2] - word.bbox[0], word.bbox[3] - word.bbox[1]],
  })),
  'counts boxes from the bottom': changingWords((word) => ({
    ...word,
    bbox: [word.bbox[0], 480 - word.bbox[3], word.bbox[2], 480 - word.bbox[1]],
  })),
  'gives boxes of an image half as large': changingWords((word) => ({
    ...word,
    bbox: [word.bbox[0] / 2, word.bbox[1] / 2, word.bbox[2] / 2, word.bbox[3] / 2],
  })),
  'starts lines anew in each block': changingWords((word) => ({
    ...word,
    line: word.block === 0 ? word.line : word.line - 2,
  })),
  'gives every word the same line': changingWords((word) => ({ ...word, line: 0 })),
  'finds a word on an empty page': changingPage((page) =>
    page.words.length > 0 ? page : { text: '~', confidence: 0.1, words: [] },
  ),
  'ignores the threshold': openWith(
    class extends PlainOcrEngine {
      protected override read(image: GreyImage, request: OcrRequest): Promise<PageText> {
        return super.read(image, { ...request, threshold: 'global' });
      }
    },
  ),
  'gives the image before': openWith(
    class extends PlainOcrEngine {
      #before: PageText | undefined;
      protected override async read(image: GreyImage, request: OcrRequest): Promise<PageText> {
        const page = this.#before ?? (await super.read(image, request));
        this.#before = await super.read(image, request);
        return page;
      }
    },
  ),
  'grows surer with each page': openWith(
    class extends PlainOcrEngine {
      #pages = 0;
      protected override async read(image: GreyImage, request: OcrRequest): Promise<PageText> {
        const page = await super.read(image, request);
        const rise = this.#pages++ / 100;
        return page.words.length === 0
          ? page
          : {
              ...page,
              confidence: page.confidence + rise,
              words: page.words.map((word) => ({ ...word, confidence: word.confidence + rise })),
            };
      }
    },
  ),
  'writes into the image': changingPage((page, image) => {
    image.data.fill(0);
    return page;
  }),
  'says how far the page was turned': openWith(
    class extends PlainOcrEngine {
      protected override turnBack(turn: QuarterTurn): QuarterTurn {
        return turn;
      }
    },
  ),
  'is sure that an empty page is upright': openWith(
    class extends PlainOcrEngine {
      override async detectOrientation(
        image: GreyImage,
        timeoutMs: number,
        signal: Cancellation,
      ): Promise<Orientation> {
        return (await super.detectOrientation(image, timeoutMs, signal)) ?? { degrees: 0, confidence: 9 };
      }
    },
  ),
  'supports whatever it is asked for': openWith(
    class extends PlainOcrEngine {
      override supports = async (): Promise<boolean> => true;
    },
  ),
  'throws at a strange language': openWith(
    class extends PlainOcrEngine {
      override async supports(language: string): Promise<boolean> {
        if (!/^\w+$/.test(language)) throw new Error('language');
        return language === 'eng';
      }
    },
  ),
  'takes images of any size': openWith(
    class extends PlainOcrEngine {
      protected override async begin(_: GreyImage, timeoutMs: number, signal: Cancellation): Promise<void> {
        await super.begin({ width: 1, height: 1, data: new Uint8Array(1) }, timeoutMs, signal);
      }
    },
  ),
  'takes its time': openWith(
    class extends PlainOcrEngine {
      protected override begin(image: GreyImage, _: number, signal: Cancellation): Promise<void> {
        return super.begin(image, FASTEST_MS, signal);
      }
    },
  ),
  'ignores the signal': openWith(
    class extends PlainOcrEngine {
      protected override begin(image: GreyImage, timeoutMs: number): Promise<void> {
        return super.begin(image, timeoutMs, new AbortController().signal);
      }
    },
  ),
};

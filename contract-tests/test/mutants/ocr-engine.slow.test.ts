import type { OcrEngine, PageText, Word } from '@palimpsest/core';
import { openTesseractWasm } from '@palimpsest/tesseract-wasm';
import { describeOcrEngine } from '../../src/index.ts';
import { changed, describeMutants, type Mutant, type Mutants } from './mutant.ts';
import { ResultCache } from './result-cache.ts';

const neverAborted = new AbortController().signal;

/** Changes the text of a page. */
const reading =
  (change: (page: PageText) => Partial<PageText>): Mutant<OcrEngine> =>
  (sound) => ({
    recognize: async (image, request, signal) => {
      const page = await sound.recognize(image, request, signal);
      return { ...page, ...change(page) };
    },
  });

const eachWord = (change: (word: Word) => Partial<Word>): Mutant<OcrEngine> =>
  reading(({ words }) => ({ words: words.map((word) => ({ ...word, ...change(word) })) }));

const mutants: Mutants<OcrEngine> = {
  'loses paragraphs': reading(({ text }) => ({ text: text.replaceAll('\n\n', '\n') })),
  'gives confidences in percent': eachWord(({ confidence }) => ({ confidence: confidence * 100 })),
  'measures boxes from the bottom': eachWord(({ bbox: [x0, y0, x1, y1] }) => ({ bbox: [x0, 600 - y1, x1, 600 - y0] })),
  'finds text on an empty page': reading(({ text }) => (text.trim() === '' ? { text: '~' } : {})),
  'ignores the threshold': (sound) => ({
    recognize: (image, request, signal) => sound.recognize(image, { ...request, threshold: 'global' }, signal),
  }),
  'gives the text of the previous image': (sound) => {
    let previous: PageText | undefined;
    return {
      recognize: async (image, request, signal) => {
        const page = await sound.recognize(image, request, signal);
        const given = previous ?? page;
        previous = page;
        return given;
      },
    };
  },
  'writes into the given image': (sound) => ({
    recognize: async (image, request, signal) => {
      const page = await sound.recognize(image, request, signal);
      image.data.fill(0);
      return page;
    },
  }),
  'tells how a page was turned instead of how to turn it': (sound) => ({
    detectOrientation: async (...given) => {
      const orientation = await sound.detectOrientation(...given);
      return (
        orientation && { ...orientation, degrees: ({ 0: 0, 90: 270, 180: 180, 270: 90 } as const)[orientation.degrees] }
      );
    },
  }),
  'supports every language': () => ({ supports: async () => true }),
  'reads images of any size': (sound) => ({
    recognize: async (image, request, signal) =>
      Math.max(image.width, image.height) > 32_767
        ? { text: '', confidence: 0, words: [] }
        : await sound.recognize(image, request, signal),
  }),
  'ignores the timeout': (sound) => ({
    recognize: (image, request, signal) => sound.recognize(image, { ...request, timeoutMs: 60_000 }, signal),
  }),
  'ignores the abort signal': (sound) => ({
    recognize: (image, request) => sound.recognize(image, request, neverAborted),
  }),
};

/** Reads each image once. */
const remembering = (engine: OcrEngine): OcrEngine => {
  const results = new ResultCache();
  return changed(engine, {
    recognize: (image, request, signal) =>
      request.timeoutMs < 1000
        ? engine.recognize(image, request, signal)
        : results.once(['recognize', image.width, image.data, request], signal, () =>
            engine.recognize(image, request, neverAborted),
          ),
    detectOrientation: (image, timeoutMs, signal) =>
      results.once(['orientation', image.width, image.data], signal, () =>
        engine.detectOrientation(image, timeoutMs, neverAborted),
      ),
  });
};

describe('mutants of Tesseract', () => {
  const { engine, close } = openTesseractWasm({ children: 2 });
  after(close);
  const sound = remembering(engine);
  describeMutants('OcrEngine', describeOcrEngine, () => sound, mutants);
});

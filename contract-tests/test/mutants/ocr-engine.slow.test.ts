import type { OcrEngine, PageText, Word } from '@palimpsest/core';
import { openTesseractWasm } from '@palimpsest/tesseract-wasm';
import { describeOcrEngine } from '../../src/index.ts';
import { changed, describeMutants, type Mutant, type Mutants } from './mutant.ts';
import { ResultCache } from './result-cache.ts';

const neverAborted = new AbortController().signal;

/** Changes the text of a page. */
const reading =
  (change: (page: PageText) => Partial<PageText>): Mutant<OcrEngine> =>
  (original) => ({
    recognize: async (image, request, signal) => {
      const page = await original.recognize(image, request, signal);
      return { ...page, ...change(page) };
    },
  });

const eachWord = (change: (word: Word) => Partial<Word>): Mutant<OcrEngine> =>
  reading(({ words }) => ({ words: words.map((word) => ({ ...word, ...change(word) })) }));

const mutants: Mutants<OcrEngine> = {
  'loses paragraphs': reading(({ text }) => ({ text: text.replaceAll('\n\n', '\n') })),
  'returns confidences in percent': eachWord(({ confidence }) => ({ confidence: confidence * 100 })),
  'measures boxes from the bottom': eachWord(({ bbox: [x0, y0, x1, y1] }) => ({ bbox: [x0, 600 - y1, x1, 600 - y0] })),
  'finds text on an empty page': reading(({ text }) => (text.trim() === '' ? { text: '~' } : {})),
  'ignores the threshold': (original) => ({
    recognize: (image, request, signal) => original.recognize(image, { ...request, threshold: 'global' }, signal),
  }),
  'returns the text of the previous image': (original) => {
    let previous: PageText | undefined;
    return {
      recognize: async (image, request, signal) => {
        const page = await original.recognize(image, request, signal);
        const given = previous ?? page;
        previous = page;
        return given;
      },
    };
  },
  'writes into the given image': (original) => ({
    recognize: async (image, request, signal) => {
      const page = await original.recognize(image, request, signal);
      image.data.fill(0);
      return page;
    },
  }),
  'returns the rotation of the page instead of the rotation that corrects it': (original) => ({
    detectOrientation: async (...given) => {
      const orientation = await original.detectOrientation(...given);
      return (
        orientation && { ...orientation, degrees: ({ 0: 0, 90: 270, 180: 180, 270: 90 } as const)[orientation.degrees] }
      );
    },
  }),
  'supports every language': () => ({ supports: async () => true }),
  'reads images of any size': (original) => ({
    recognize: async (image, request, signal) =>
      Math.max(image.width, image.height) > 32_767
        ? { text: '', confidence: 0, words: [] }
        : await original.recognize(image, request, signal),
  }),
  'ignores the timeout': (original) => ({
    recognize: (image, request, signal) => original.recognize(image, { ...request, timeoutMs: 60_000 }, signal),
  }),
  'ignores the abort signal': (original) => ({
    recognize: (image, request) => original.recognize(image, request, neverAborted),
  }),
};

/** Recognizes each image once and repeats the result for all mutants. */
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
  const original = remembering(engine);
  describeMutants('OcrEngine', describeOcrEngine, () => original, mutants);
});

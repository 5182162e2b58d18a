import {
  isAppError,
  type ErrorCode,
  type TextLayerDocument,
  type TextLayerPage,
  type TextLayerReader,
  type Word,
} from '@palimpsest/core';
import { openPdfium } from '@palimpsest/pdfium';
import { describeTextLayerReader } from '../../src/index.ts';
import { changed, describeMutants, type Mutant } from './mutant.ts';

const neverAborted = new AbortController().signal;

/** Changes the documents that are opened. */
const opening =
  (change: (document: TextLayerDocument) => Partial<TextLayerDocument>): Mutant<TextLayerReader> =>
  (original) => ({
    open: async (file, limits, signal) => {
      const document = await original.open(file, limits, signal);
      return changed(document, change(document));
    },
  });

/** Changes the pages that are read. */
const reading = (change: (page: TextLayerPage) => Partial<TextLayerPage>): Mutant<TextLayerReader> =>
  opening((document) => ({
    read: async (number, limits, signal) => {
      const page = await document.read(number, limits, signal);
      return { ...page, ...change(page) };
    },
  }));

/** Changes the words of a page. */
const eachWord = (change: (word: Word, page: TextLayerPage) => Partial<Word>): Mutant<TextLayerReader> =>
  reading((page) => ({ words: page.words.map((word) => ({ ...word, ...change(word, page) })) }));

/** Opens a file as one page without text instead of throwing this code. */
const forgiving =
  (code: ErrorCode): Mutant<TextLayerReader> =>
  (original) => ({
    open: async (file, limits, signal) => {
      try {
        return await original.open(file, limits, signal);
      } catch (error) {
        if (!isAppError(error, code)) throw error;
        const page = { text: '', words: [], confidence: 0, width: 100, height: 100 };
        return { pageCount: 1, read: async () => page, close: async () => {} };
      }
    },
  });

describe('mutants of PDFium', () => {
  const { textLayerReader, close } = openPdfium({ children: 2 });
  after(close);
  describeMutants('TextLayerReader', describeTextLayerReader, () => textLayerReader, {
    'loses paragraphs': reading(({ text }) => ({ text: text.replaceAll('\n\n', '\n') })),
    'loses the last word': reading(({ words }) => ({ words: words.slice(0, -1) })),
    'counts lines from 1': eachWord(({ line }) => ({ line: line + 1 })),
    'returns a confidence for a page without text': reading(() => ({ confidence: 1 })),
    'measures boxes from the bottom': eachWord(({ bbox: [x0, y0, x1, y1] }, { height }) => ({
      bbox: [x0, height - y1, x1, height - y0],
    })),
    'returns boxes in points': eachWord(({ bbox: [x0, y0, x1, y1] }) => ({
      bbox: [(x0 * 72) / 300, (y0 * 72) / 300, (x1 * 72) / 300, (y1 * 72) / 300],
    })),
    'ignores the rotation of pages': (original) => ({
      open: (file, limits, signal) => {
        const text = Buffer.from(file).toString('latin1').replaceAll('/Rotate 90', '/Rotate 00');
        return original.open(Buffer.from(text, 'latin1'), limits, signal);
      },
    }),
    'ignores the limit of pixels': opening((document) => ({
      read: (number, limits, signal) => document.read(number, { ...limits, maxPixels: 50_000_000 }, signal),
    })),
    'reads the document that was opened last': (original) => {
      let last: TextLayerDocument;
      return opening((document) => {
        last = document;
        return { read: (...request) => last.read(...request) };
      })(original, undefined as never);
    },
    'opens encrypted files': forgiving('DOCUMENT_ENCRYPTED'),
    'ignores the abort signal': opening((document) => ({
      read: (number, limits) => document.read(number, limits, neverAborted),
    })),
  });
});

import { isAppError, type ErrorCode, type SearchablePdfWriter, type TextOverlay } from '@palimpsest/core';
import { openPdfLib } from '@palimpsest/pdf-lib';
import { openReader } from '../../../adapters/pdf-lib/test/pdf-reader.ts';
import { describeSearchablePdfWriter, type ReadSearchablePdfs } from '../../src/index.ts';
import { aPdf } from '../../src/kit/page-samples.ts';
import { changed, describeMutants, inPart, nextTurn, type Mutant, type Mutants } from './mutant.ts';
import { ResultCache } from './result-cache.ts';

type OverlaidWord = TextOverlay['words'][number];

const neverAborted = new AbortController().signal;

/** Changes the overlays before they are written. */
const withOverlays =
  (change: (overlays: readonly TextOverlay[]) => readonly TextOverlay[]): Mutant<SearchablePdfWriter> =>
  (original) => ({
    write: (source, overlays, limits, signal) => original.write(source, change(overlays), limits, signal),
  });

const eachOverlay = (change: (overlay: TextOverlay) => Partial<TextOverlay>): Mutant<SearchablePdfWriter> =>
  withOverlays((overlays) => overlays.map((overlay) => ({ ...overlay, ...change(overlay) })));

const eachWord = (change: (word: OverlaidWord, overlay: TextOverlay) => Partial<OverlaidWord>) =>
  eachOverlay((overlay) => ({ words: overlay.words.map((word) => ({ ...word, ...change(word, overlay) })) }));

const eachText = (change: (text: string) => string): Mutant<SearchablePdfWriter> =>
  eachWord(({ text }) => ({ text: change(text) }));

/** Writes an empty PDF instead of throwing this code. */
const forgiving =
  (code: ErrorCode): Mutant<SearchablePdfWriter> =>
  (original) => ({
    write: async (...given) => {
      try {
        return await original.write(...given);
      } catch (error) {
        if (isAppError(error, code)) return aPdf([{}]);
        throw error;
      }
    },
  });

const mutants: Mutants<SearchablePdfWriter> = {
  'writes the words in alphabetical order': eachOverlay(({ words }) => ({
    words: words.toSorted((a, b) => (a.text < b.text ? -1 : 1)),
  })),
  'ignores the rotation of pages': eachOverlay(() => ({ rotation: 0 })),
  'measures boxes from the bottom': eachWord(({ bbox: [x0, y0, x1, y1] }, { height }) => ({
    bbox: [x0, height - y1, x1, height - y0],
  })),
  'places words half as far from the corner': eachOverlay(({ width, height }) => ({
    width: width * 2,
    height: height * 2,
  })),
  'joins adjacent words': eachOverlay(({ words }) => ({
    words: words.slice(0, 1).map((first) => ({ ...first, text: words.map(({ text }) => text).join('') })),
  })),
  'loses characters outside the basic plane': eachText((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
  'reverses words that run from right to left': eachText((text) =>
    /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text) ? [...text].toReversed().join('') : text,
  ),
  'uses the order of overlays instead of their numbers': withOverlays((overlays) =>
    overlays.map((overlay, i) => ({ ...overlay, number: i + 1 })),
  ),
  'opens encrypted files': forgiving('DOCUMENT_ENCRYPTED'),
  'opens damaged files': forgiving('DOCUMENT_DAMAGED'),
  'throws for a word that is not well-formed Unicode': (original) => ({
    write: (source, overlays, limits, signal) => {
      if (overlays.some(({ words }) => words.some(({ text }) => !text.isWellFormed()))) throw new Error('WinAnsi');
      return original.write(source, overlays, limits, signal);
    },
  }),
  'writes files far larger than the source': (original) => ({
    write: async (source, overlays, limits, signal) => {
      const pdf = await original.write(source, overlays, limits, signal);
      return Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(`%${' '.repeat(source.file.length * 30)}\n`), pdf]);
    },
  }),
  'writes into the file': (original) => ({
    write: async (source, overlays, limits, signal) => {
      const pdf = await original.write(source, overlays, limits, signal);
      source.file.fill(0);
      return pdf;
    },
  }),
  'mixes up files that are written at the same time': (original) => {
    let last: readonly TextOverlay[];
    return {
      write: async (source, overlays, limits, signal) => {
        last = overlays;
        await nextTurn();
        return await original.write(source, last, limits, signal);
      },
    };
  },
  'ignores the timeout': (original) => ({
    write: (source, overlays, limits, signal) =>
      original.write(source, overlays, { ...limits, timeoutMs: 30_000 }, signal),
  }),
  'ignores the abort signal': (original) => ({
    write: (source, overlays, limits) => original.write(source, overlays, limits, neverAborted),
  }),
};

describe('mutants of pdf-lib', () => {
  const results = new ResultCache();
  const { searchablePdfs, close } = openPdfLib({ children: 2 });
  const reader = openReader();
  after(close);
  after(reader.close);
  const writer = changed(searchablePdfs, {
    write: (source, overlays, limits, signal) =>
      limits.timeoutMs < 1000
        ? searchablePdfs.write(source, overlays, limits, signal)
        : results.once(['write', source.file, source.mediaType, overlays, limits], signal, () =>
            searchablePdfs.write(source, overlays, limits, neverAborted),
          ),
  });
  const openHandle = (): ReadSearchablePdfs => ({
    writer,
    read: (pdf) => results.once(['read', pdf], neverAborted, () => reader.read(pdf)),
    render: (pdf, number) => results.once(['render', pdf, number], neverAborted, () => reader.render(pdf, number)),
  });
  describeMutants('SearchablePdfWriter', describeSearchablePdfWriter, openHandle, inPart('writer', mutants));
});

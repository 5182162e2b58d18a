import type { DocumentExporter, ExportedLine, ExportedText } from '@palimpsest/core';
import { MemoryDocumentExporter, readToyExport } from '@palimpsest/memory';
import { describeDocumentExporter, type ReadableExporter, type ReadExport } from '../../src/index.ts';
import { collected } from '../../src/kit/collected.ts';
import { changed, describeMutants, type Mutant, type Mutants } from './mutant.ts';

const read = (file: Uint8Array): ReadExport => {
  const { heading, lines } = readToyExport(file);
  const shown = lines.map(({ text, page }) => (heading === undefined ? { text } : { text, page }));
  return { heading, lines: shown, entries: [], active: [] };
};

type Write = DocumentExporter['write'];

/** Replaces the method that writes. */
const writing =
  (change: (write: Write) => Write): Mutant<ReadableExporter> =>
  ({ exporter }) => ({ exporter: changed(exporter, { write: change((text) => exporter.write(text)) }) });

/** Changes the text before it is written. */
const withText = (change: (text: ExportedText) => ExportedText): Mutant<ReadableExporter> =>
  writing((write) => (text) => write(change(text)));

const withLines = (change: (lines: Iterable<ExportedLine>) => Iterable<ExportedLine>): Mutant<ReadableExporter> =>
  withText((text) => ({ ...text, lines: () => change(text.lines()) }));

const eachLine = (change: (line: ExportedLine) => Partial<ExportedLine>): Mutant<ReadableExporter> =>
  withLines(function* (lines) {
    for (const line of lines) yield { ...line, ...change(line) };
  });

const eachText = (change: (text: string) => string): Mutant<ReadableExporter> =>
  eachLine(({ text }) => ({ text: change(text) }));

/** Changes what an office program sees in the file. */
const showing =
  (change: (shown: ReadExport) => Partial<ReadExport>): Mutant<ReadableExporter> =>
  (original) => ({
    read: (file) => {
      const shown = original.read(file);
      return { ...shown, ...change(shown) };
    },
  });

const mutants: Mutants<ReadableExporter> = {
  'has another media type': ({ exporter }) => ({ exporter: changed(exporter, { mediaType: 'application/zip' }) }),
  'omits empty lines': withLines(function* (lines) {
    for (const line of lines) if (line.text !== '' || line.startsPage) yield line;
  }),
  'trims lines': eachText((text) => text.trim()),
  'treats text as markup': eachText((text) => text.replaceAll(/<[^>]*>/g, '')),
  'decodes the escapes of spreadsheets in text': eachText((text) =>
    text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  ),
  'cuts lines at the length of a cell': eachText((text) => text.slice(0, 32_767)),
  'splits surrogate pairs at the end of a cell': eachText((text) =>
    (text.match(/[^]{1,32767}/g) ?? ['']).map((part) => part.toWellFormed()).join(''),
  ),
  'puts all lines on one page': eachLine(() => ({ page: 1, startsPage: false })),
  'turns text that begins with = into a formula': showing(({ lines }) => ({
    active: lines.filter(({ text }) => text.startsWith('=')).map(({ text }) => text),
  })),
  'names a file outside the archive': showing(() => ({ entries: ['../document.xml'] })),
  'creates the whole file before it returns the first chunk': writing(
    (write) =>
      async function* (text) {
        yield new Uint8Array(Buffer.concat(await collected(write(text), (piece) => piece)));
      },
  ),
  'ignores an error of the text': withLines(function* (lines) {
    try {
      yield* lines;
    } catch {
      return;
    }
  }),
  'returns all chunks in one buffer': writing(
    (write) =>
      async function* (text) {
        const buffer = new Uint8Array(2 ** 20);
        for await (const piece of write(text)) {
          buffer.set(piece);
          yield buffer.subarray(0, piece.length);
        }
      },
  ),
  'writes the text of the last call for all readers': (original) => {
    let last: ExportedText | undefined;
    return writing(
      (write) =>
        async function* (text) {
          last = text;
          await new Promise((resolve) => setImmediate(resolve));
          yield* write(last);
        },
    )(original, undefined as never);
  },
};

describeMutants(
  'DocumentExporter',
  describeDocumentExporter,
  (): ReadableExporter => ({ exporter: new MemoryDocumentExporter('xlsx'), read }),
  mutants,
);

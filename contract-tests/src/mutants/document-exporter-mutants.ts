import type { DocumentExporter, ExportedLine, ExportedText } from '@palimpsest/core';
import type { ReadableExporter, ReadExport } from '../document-exporter/contract.ts';
import type { Mutant, Mutants } from './mutant.ts';

type Write = DocumentExporter['write'];

/** A mutant that writes in a way of its own, given the sound way. `begin` is called once for each exporter. */
const writing =
  (begin: (sound: Write) => Write): Mutant<ReadableExporter> =>
  (openSound) =>
  async () => {
    const opened = await openSound();
    const { exporter, read } = opened.subject;
    const write = begin((text) => exporter.write(text));
    return {
      ...opened,
      subject: { exporter: { format: exporter.format, mediaType: exporter.mediaType, write }, read },
    };
  };

/** A mutant in whose files something else is seen than the sound exporter wrote. */
const seeming =
  (see: (file: ReadExport) => Partial<ReadExport>): Mutant<ReadableExporter> =>
  (openSound) =>
  async () => {
    const opened = await openSound();
    const { exporter, read } = opened.subject;
    const readOtherwise = (bytes: Uint8Array): ReadExport => {
      const file = read(bytes);
      return { ...file, ...see(file) };
    };
    return { ...opened, subject: { exporter, read: readOtherwise } };
  };

const instead = (change: (text: ExportedText) => ExportedText): Mutant<ReadableExporter> =>
  writing((sound) => (text) => sound(change(text)));

const withLines = (change: (lines: Iterable<ExportedLine>) => Iterable<ExportedLine>): Mutant<ReadableExporter> =>
  instead((text) => ({ ...text, lines: () => change(text.lines()) }));

const eachLine = (change: (line: ExportedLine) => Partial<ExportedLine>): Mutant<ReadableExporter> =>
  withLines(function* (lines) {
    for (const line of lines) yield { ...line, ...change(line) };
  });

const withText = (change: (text: string) => string): Mutant<ReadableExporter> =>
  eachLine(({ text }) => ({ text: change(text) }));

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const all = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const collected: Uint8Array[] = [];
  for await (const piece of pieces) collected.push(piece);
  return Buffer.concat(collected);
};

/** Works for `ms` milliseconds of CPU time without letting anybody else have a turn. */
const workOn = (ms: number): void => {
  const before = process.cpuUsage();
  for (let used = 0; used < ms;) {
    const { user, system } = process.cpuUsage(before);
    used = (user + system) / 1000;
  }
};

/** Broken exporters, by what is wrong with them. */
export const documentExporterMutants: Mutants<ReadableExporter> = {
  'says another media type': (openSound) => async () => {
    const opened = await openSound();
    const { exporter, read } = opened.subject;
    const { format } = exporter;
    return {
      ...opened,
      subject: { read, exporter: { format, mediaType: 'application/zip', write: (text) => exporter.write(text) } },
    };
  },
  'leaves the heading out': seeming(() => ({ heading: undefined })),
  'gives every text a heading': instead((text) => ({ ...text, heading: text.heading ?? 'Document' })),
  'writes the heading once more as a line': seeming(({ heading, lines }) =>
    heading === undefined ? {} : { lines: [{ text: heading, page: 1 }, ...lines] },
  ),
  'cuts the heading': instead((text) => ({ ...text, heading: text.heading?.slice(0, 20) })),
  'keeps the first heading for all texts': writing((sound) => {
    let first: string | undefined;
    return (text) => sound({ ...text, heading: text.heading === undefined ? undefined : (first ??= text.heading) });
  }),
  'loses empty lines': withLines(function* (lines) {
    for (const line of lines) if (line.text !== '' || line.startsPage) yield line;
  }),
  'keeps one of several empty lines': withLines(function* (lines) {
    let before = 'text';
    for (const line of lines) {
      if (line.text !== '' || before !== '' || line.startsPage) yield line;
      before = line.text;
    }
  }),
  'loses the last line': withLines(function* (lines) {
    let before: ExportedLine | undefined;
    for (const line of lines) {
      if (before !== undefined) yield before;
      before = line;
    }
  }),
  'stops after 10,000 lines': withLines(function* (lines) {
    let left = 10_000;
    for (const line of lines) if (left-- > 0) yield line;
  }),
  'trims lines': withText((text) => text.trim()),
  'loses blanks at the ends of lines': withText((text) => text.trimEnd()),
  'makes blanks of tabs': withText((text) => text.replaceAll('\t', ' ')),
  'makes one blank of two': withText((text) => text.replace(/ {2,}/g, ' ')),
  'normalises text': withText((text) => text.normalize('NFC')),
  'escapes twice': withText((text) => text.replaceAll('&', '&amp;')),
  'takes text for markup': withText((text) => text.replace(/<[^>]*>/g, '')),
  'decodes entities in text': withText((text) => text.replaceAll('&lt;', '<')),
  'takes text for escapes of a spreadsheet': withText((text) =>
    text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  ),
  'puts an apostrophe before what looks like a formula': withText((text) =>
    /^[=+\-@]/.test(text) ? `'${text}` : text,
  ),
  'writes numbers as numbers': withText((text) => (/^[\d.]+$/.test(text) ? String(Number(text)) : text)),
  'drops U+007F': withText((text) => text.replaceAll('\u007F', '')),
  'loses what is beyond the basic plane': withText((text) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, '\uFFFD')),
  'cuts lines at the length of a cell': withText((text) => text.slice(0, 32_767)),
  'cuts pairs of surrogates': withText((text) =>
    (text.match(/[^]{1,32767}/g) ?? ['']).map((part) => part.toWellFormed()).join(''),
  ),
  'puts all lines on one page': eachLine(() => ({ page: 1, startsPage: false })),
  'counts pages from 0': eachLine(({ page }) => ({ page: page - 1 })),
  'begins a page with each paragraph': seeming(({ heading, lines }) => {
    let page = 1;
    return heading === undefined
      ? {}
      : { lines: lines.map(({ text }) => ({ text, page: text === '' ? page++ : page })) };
  }),
  'makes formulas of what looks like one': seeming(({ lines }) => ({
    active: lines.filter(({ text }) => text.startsWith('=')).map(({ text }) => text),
  })),
  'makes a link of the heading': seeming(({ heading }) => ({
    active: heading?.includes('http') === true ? [heading] : [],
  })),
  'names a file outside': seeming(() => ({ entries: ['word/document.xml', '../settings.xml'] })),
  'names a file from the root': seeming(() => ({ entries: ['/word/document.xml'] })),
  'names a file twice': seeming(() => ({ entries: ['word/document.xml', 'word/document.xml'] })),
  'writes all in the end': writing(
    (sound) =>
      async function* (text) {
        yield await all(sound(text));
      },
  ),
  'takes all lines before it writes': writing((sound) => (text) => {
    const lines = [...text.lines()];
    return sound({ ...text, lines: () => lines });
  }),
  'does not wait for its reader': writing(
    (sound) =>
      async function* (text) {
        const pieces: Uint8Array[] = [];
        let isOver = false;
        const reading = (async () => {
          for await (const piece of sound(text)) pieces.push(piece);
        })().finally(() => {
          isOver = true;
        });
        for (;;) {
          const piece = pieces.shift();
          if (piece !== undefined) yield piece;
          else if (isOver) return reading;
          else await turn();
        }
      },
  ),
  'goes on when its reader has stopped': writing(
    (sound) =>
      async function* (text) {
        const pieces = sound(text)[Symbol.asyncIterator]();
        for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next()) yield piece.value;
      },
  ),
  'hides what goes wrong': withLines(function* (lines) {
    try {
      yield* lines;
    } catch {
      // As if the text ended here.
    }
  }),
  'throws an error of its own': writing(
    (sound) =>
      async function* (text) {
        try {
          yield* sound(text);
        } catch {
          throw new Error('export failed');
        }
      },
  ),
  'gives pieces of one buffer that it fills again': writing(
    (sound) =>
      async function* (text) {
        const buffer = new Uint8Array(1024 * 1024);
        for await (const piece of sound(text)) {
          buffer.set(piece);
          yield buffer.subarray(0, piece.length);
        }
      },
  ),
  'gives an empty piece': writing(
    (sound) =>
      async function* (text) {
        yield new Uint8Array();
        yield* sound(text);
      },
  ),
  'writes the text that was asked for last': writing((sound) => {
    let last: ExportedText | undefined;
    return async function* (text) {
      last = text;
      await turn();
      yield* sound(last);
    };
  }),
  'works for long without a pause': writing(
    (sound) =>
      async function* (text) {
        let count = 0;
        for await (const piece of sound(text)) {
          if (++count === 80) workOn(1000); // as it is for a long text alone
          yield piece;
        }
      },
  ),
};

import {
  exportedText,
  exportFormats,
  xmlSafe,
  type DocumentExporter,
  type ExportedText,
  type ExportFormat,
} from '@palimpsest/core';
import { expect } from 'chai';
import { describeExportFlow } from './streaming.ts';
import { manyLines, strangeExportLines, structuredTexts } from './samples.ts';
import { openForEach, type Open } from '../kit/harness.ts';
import { describePatiently } from '../kit/runner.ts';

/** A line as it was read from a file. */
export interface ReadLine {
  readonly text: string;
  readonly page?: number; // from 1; not where the text stands alone
}

/** What an office program sees in a file. */
export interface ReadExport {
  readonly heading: string | undefined; // what stands as heading
  readonly lines: readonly ReadLine[]; // in order; where paragraphs are paragraphs, with an empty line between two
  readonly entries: readonly string[]; // the names of the files within, if it is an archive
  readonly active: readonly string[]; // what is run, calculated or fetched: formulas, fields, links, macros, templates, external relationships
}

/** An exporter with a reader of its files, which throws if any part of a file is not well-formed. */
export interface ReadableExporter {
  readonly exporter: DocumentExporter;
  readonly read: (file: Uint8Array) => ReadExport;
}

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const isBlank = (text: string): boolean => /^[ \t]*$/.test(text);

/** The lines of a formatted text as far as formats agree: without blanks in empty lines and without empty lines at the ends of pages. */
const laidOut = (lines: readonly ReadLine[]): readonly ReadLine[] => {
  const kept = lines.map(({ text, page }) => ({ text: isBlank(text) ? '' : text, page: page ?? 0 }));
  const isKept = (i: number): boolean => {
    const line = kept[i];
    const rest = kept.slice(i).findIndex(({ text, page }) => text !== '' || page !== line?.page);
    return line?.text !== '' || (rest >= 0 && kept[i + rest]?.page === line.page);
  };
  return kept.filter((_, i) => isKept(i));
};

/** What every {@link DocumentExporter} promises. */
export const describeDocumentExporter = (name: string, open: Open<ReadableExporter>): void =>
  describePatiently(`${name} as DocumentExporter`, 120_000, () => {
    const opened = openForEach(open);

    const written = async (text: ExportedText): Promise<ReadExport> => {
      const { exporter, read } = opened().subject;
      const pieces: Uint8Array[] = [];
      for await (const piece of exporter.write(text)) pieces.push(piece); // not copied: they are the reader's
      return read(new Uint8Array(Buffer.concat(pieces)));
    };
    const textsOf = ({ lines }: ReadExport): readonly string[] => lines.map((line) => line.text);
    const expectFormatted = async (title: string, text: string): Promise<void> => {
      const file = await written(exportedText(title, text, true));
      const given = [...exportedText(title, text, true).lines()];
      expect(laidOut(file.lines), JSON.stringify(text.slice(0, 100))).to.deep.equal(laidOut(given));
      expect(file.heading).to.equal(xmlSafe(title));
    };
    const expectAlone = async (text: string): Promise<void> => {
      const file = await written(exportedText('Title', text, false));
      const given = [...exportedText('Title', text, false).lines()].map((line) => line.text);
      expect(textsOf(file), JSON.stringify(text.slice(0, 100))).to.deep.equal(given);
      expect(file.heading).to.equal(undefined);
    };

    it('says which format it writes, and its media type', () => {
      const { format, mediaType } = opened().subject.exporter;
      expect(exportFormats).to.include(format);
      expect(mediaType).to.equal(mediaTypes[format]);
    });

    it('writes a text alone, line by line, without a heading', async () => {
      for (const text of structuredTexts) await expectAlone(text);
    });

    it('writes a formatted text under its title, with its pages and paragraphs', async () => {
      for (const text of structuredTexts) await expectFormatted('A letter', text);
    });

    it('writes strange lines as they are', async () => {
      await expectAlone(strangeExportLines.join('\n'));
      await expectFormatted('Strange', strangeExportLines.join('\n'));
      await expectFormatted('Strange', strangeExportLines.join('\f'));
    });

    it('writes each strange line as a text of its own, and as a title', async () => {
      for (const line of strangeExportLines) {
        await expectAlone(line);
        await expectFormatted(line.replace(/\s+/g, ' ').trim() || 'No title', line);
      }
    });

    it('writes what was made fit for XML', async () => {
      await expectFormatted(
        '\u0001\uFFFE\ud800 title',
        'a\0b\u0008\u000B\u000E\u001F\uFFFE\uFFFF\nc\ud800\nd\udc00\n\ud83d\n\ude00',
      );
    });

    it('writes an empty text, and one that has no line at all', async () => {
      await expectAlone('');
      await expectFormatted('Nothing', '');
      for (const heading of ['Nothing', undefined]) {
        const file = await written({ heading, lines: () => [] });
        expect(textsOf(file).join('')).to.equal('');
        expect(file.heading).to.equal(heading);
      }
    });

    it('writes very long lines, with every character whole', async () => {
      // The pairs of surrogates begin at even and at odd places, wherever a line may be cut.
      for (const start of ['', 'x']) {
        const long = `${start}${'\u{1F600}'.repeat(20_000)}${'<&>_x0041_ '.repeat(5000)}${' \t'.repeat(10_000)}end`;
        await expectAlone(`before\n${long}\nafter`);
        await expectFormatted('Long', `before\n${long}\nafter\n\n${long}`);
      }
    });

    it('writes many lines, with their pages', async () => {
      const given = [...manyLines(30_000)];
      const formatted = await written({ heading: 'Many', lines: () => given });
      expect(formatted.lines.filter(({ text }) => text !== '')).to.deep.equal(
        given.filter(({ text }) => text !== '').map(({ text, page }) => ({ text, page })),
      );
      const alone = await written({ heading: undefined, lines: () => given });
      expect(textsOf(alone).join('\n')).to.equal(given.map(({ text }) => text).join('\n'));
    });

    it('keeps several texts apart that are written at the same time', async () => {
      const text = (i: number): string =>
        Array.from({ length: 3000 }, (_, line) => `text ${i} line ${line}`).join('\n');
      const headings = [1, 2, undefined, 4, undefined];
      const files = await Promise.all(
        headings.map((title, i) => written(exportedText(`Title ${title}`, text(i), title !== undefined))),
      );
      for (const [i, file] of files.entries()) {
        expect(file.heading).to.equal(headings[i] === undefined ? undefined : `Title ${headings[i]}`);
        expect(textsOf(file).join('\n')).to.equal(text(i));
      }
    });

    it('writes nothing that is run, calculated or fetched, and no name that leads out of the file', async () => {
      for (const formatted of [true, false]) {
        const { active, entries } = await written(
          exportedText('=HYPERLINK("http://example.org")', strangeExportLines.join('\n'), formatted),
        );
        expect(active).to.deep.equal([]);
        expect(new Set(entries).size, 'each name once').to.equal(entries.length);
        for (const entry of entries) expect(entry).to.match(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\:]+$/);
      }
    });

    describeExportFlow(() => opened().subject.exporter);
  });

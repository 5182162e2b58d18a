import {
  exportedText,
  exportFormats,
  xmlSafe,
  type DocumentExporter,
  type ExportedText,
  type ExportFormat,
} from '@palimpsest/core';
import { expect } from 'chai';
import { describeStreaming } from './streaming.ts';
import { manyLines, strangeExportLines, structuredTexts } from './samples.ts';
import { openOnce, type Open } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';

/** A line read from an exported file. */
export interface ReadLine {
  readonly text: string;
  readonly page?: number; // from 1; absent if the text has no pages
}

/** The content of an exported file, as an office program sees it. */
export interface ReadExport {
  readonly heading: string | undefined; // the heading of the document
  readonly lines: readonly ReadLine[]; // in order; with an empty line between two paragraphs
  readonly entries: readonly string[]; // the names of the files in the archive
  readonly active: readonly string[]; // formulas, fields, links, macros, templates, external relationships
}

/** An exporter, and a reader of its files that throws if any part of a file is not well-formed. */
export interface ReadableExporter {
  readonly exporter: DocumentExporter;
  readonly read: (file: Uint8Array) => ReadExport;
}

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const isBlank = (text: string): boolean => /^[ \t]*$/.test(text);

/** Removes what formats may change: white space in empty lines, and empty lines at the end of a page. */
const comparable = (lines: readonly ReadLine[]): readonly ReadLine[] => {
  const kept = lines.map(({ text, page }) => ({ text: isBlank(text) ? '' : text, page: page ?? 0 }));
  const isKept = (i: number): boolean => {
    const line = kept[i];
    const rest = kept.slice(i).findIndex(({ text, page }) => text !== '' || page !== line?.page);
    return line?.text !== '' || (rest >= 0 && kept[i + rest]?.page === line.page);
  };
  return kept.filter((_, i) => isKept(i));
};

/** Tests every promise of {@link DocumentExporter}. */
export const describeDocumentExporter = (name: string, open: Open<ReadableExporter>): void =>
  describeWithTimeout(`${name}, a DocumentExporter`, 120_000, () => {
    const opened = openOnce(open);

    const written = async (text: ExportedText): Promise<ReadExport> => {
      const { exporter, read } = opened().subject;
      const chunks: Uint8Array[] = [];
      for await (const chunk of exporter.write(text)) chunks.push(chunk); // not copied: the reader may keep the chunks
      return read(new Uint8Array(Buffer.concat(chunks)));
    };
    const textsOf = ({ lines }: ReadExport): readonly string[] => lines.map((line) => line.text);
    const expectFormatted = async (title: string, text: string): Promise<void> => {
      const file = await written(exportedText(title, text, true));
      const given = [...exportedText(title, text, true).lines()];
      expect(comparable(file.lines), JSON.stringify(text.slice(0, 100))).to.deep.equal(comparable(given));
      expect(file.heading).to.equal(xmlSafe(title));
    };
    const expectAlone = async (text: string): Promise<void> => {
      const file = await written(exportedText('Title', text, false));
      const given = [...exportedText('Title', text, false).lines()].map((line) => line.text);
      expect(textsOf(file), JSON.stringify(text.slice(0, 100))).to.deep.equal(given);
      expect(file.heading).to.equal(undefined);
    };

    it('states its format and the media type of that format', () => {
      const { format, mediaType } = opened().subject.exporter;
      expect(exportFormats).to.include(format);
      expect(mediaType).to.equal(mediaTypes[format]);
    });

    it('writes a plain text line by line and without a heading', async () => {
      for (const text of structuredTexts) await expectAlone(text);
    });

    it('writes a formatted text with its title, pages and paragraphs', async () => {
      for (const text of structuredTexts) await expectFormatted('A letter', text);
    });

    it('writes unusual lines unchanged', async () => {
      await expectAlone(strangeExportLines.join('\n'));
      await expectFormatted('Strange', strangeExportLines.join('\n'));
      await expectFormatted('Strange', strangeExportLines.join('\f'));
    });

    it('writes unusual titles unchanged', async () => {
      const all = strangeExportLines.join(' ').replace(/\s+/g, ' ').trim();
      for (const title of [all, '=1+1', '@SUM(A1)', '<b>&amp;', '_x0041_']) await expectFormatted(title, 'text');
    });

    it('removes characters that XML cannot contain, as `exportedText` does', async () => {
      await expectFormatted(
        '\u0001\uFFFE\ud800 title',
        'a\0b\u0008\u000B\u000E\u001F\uFFFE\uFFFF\nc\ud800\nd\udc00\n\ud83d\n\ude00',
      );
    });

    it('writes a text that is empty or has no lines', async () => {
      await expectAlone('');
      await expectFormatted('Nothing', '');
      for (const heading of ['Nothing', undefined]) {
        const file = await written({ heading, lines: () => [] });
        expect(textsOf(file).join('')).to.equal('');
        expect(file.heading).to.equal(heading);
      }
    });

    it('writes lines of 100,000 characters without splitting a character', async () => {
      // Surrogate pairs begin at even and at odd positions, so that a split at any chunk size is noticed.
      for (const start of ['', 'x']) {
        const long = `${start}${'\u{1F600}'.repeat(20_000)}${'<&>_x0041_ '.repeat(5000)}${' \t'.repeat(10_000)}end`;
        await expectAlone(`before\n${long}\nafter`);
        await expectFormatted('Long', `before\n${long}\nafter\n\n${long}`);
      }
    });

    it('writes 11,000 lines with their page numbers', async () => {
      const given = [...manyLines(11_000)];
      const formatted = await written({ heading: 'Many', lines: () => given });
      expect(formatted.lines.filter(({ text }) => text !== '')).to.deep.equal(
        given.filter(({ text }) => text !== '').map(({ text, page }) => ({ text, page })),
      );
      const alone = await written({ heading: undefined, lines: () => given });
      expect(textsOf(alone).join('\n')).to.equal(given.map(({ text }) => text).join('\n'));
    });

    it('does not mix texts that are written at the same time', async () => {
      const text = (i: number): string => Array.from({ length: 500 }, (_, line) => `text ${i} line ${line}`).join('\n');
      const headings = [1, 2, undefined, 4, undefined];
      const files = await Promise.all(
        headings.map((title, i) => written(exportedText(`Title ${title}`, text(i), title !== undefined))),
      );
      for (const [i, file] of files.entries()) {
        expect(file.heading).to.equal(headings[i] === undefined ? undefined : `Title ${headings[i]}`);
        expect(textsOf(file).join('\n')).to.equal(text(i));
      }
    });

    it('writes no formulas, links or macros, and only safe, distinct names in the archive', async () => {
      for (const formatted of [true, false]) {
        const { active, entries } = await written(
          exportedText('=HYPERLINK("http://example.org")', strangeExportLines.join('\n'), formatted),
        );
        expect(active).to.deep.equal([]);
        expect(new Set(entries).size, 'each name once').to.equal(entries.length);
        for (const entry of entries) expect(entry).to.match(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\:]+$/);
      }
    });

    describeStreaming(() => opened().subject.exporter);
  });

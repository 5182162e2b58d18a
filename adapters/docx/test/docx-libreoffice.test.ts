import { buffer } from 'node:stream/consumers';
import { strangeExportLines, structuredTexts } from '@palimpsest/contract-tests/internal';
import { exportedText } from '@palimpsest/core';
import { DocxExporter } from '@palimpsest/docx';
import { expect } from 'chai';
import { convertedByLibreOffice, withoutLibreOffice } from '../../../test/office/libreoffice.ts';

const written = (text: string, formatted: boolean): Promise<Buffer> =>
  buffer(new DocxExporter().write(exportedText('The <title>', text, formatted)));

const linesOf = (text: string): readonly string[] =>
  [...exportedText('', text, false).lines()].map((line) => line.text);
const withLetters = (lines: readonly string[]): readonly string[] => lines.filter((line) => !/^[ \t]*$/.test(line));
/** LibreOffice starts a text file with a byte order mark and ends it with a line end. */
const savedLines = (saved: string): readonly string[] =>
  saved
    .replace(/^\uFEFF/, '')
    .split('\n')
    .slice(0, -1);

const texts = [
  strangeExportLines.join('\n'),
  strangeExportLines.join('\n\n'),
  strangeExportLines.join('\f'),
  ...structuredTexts,
  `${'\u{1F600}x'.repeat(30_000)} end`,
];

describe('a Word file in LibreOffice', function () {
  this.timeout(240_000);
  const reason = withoutLibreOffice();
  if (reason !== undefined) {
    it.skip(`is skipped: ${reason}`);
    return;
  }

  it('contains the lines of an unformatted text', async () => {
    const saved = await convertedByLibreOffice(
      await Promise.all(texts.map((text) => written(text, false))),
      'docx',
      'txt:Text (encoded):UTF8',
    );
    for (const [i, text] of texts.entries()) expect(savedLines(saved[i] ?? '')).to.deep.equal(linesOf(text));
  });

  it('contains the title and every non-blank line of a formatted text', async () => {
    const saved = await convertedByLibreOffice(
      await Promise.all(texts.map((text) => written(text, true))),
      'docx',
      'txt:Text (encoded):UTF8',
    );
    for (const [i, text] of texts.entries())
      expect(withLetters(savedLines(saved[i] ?? ''))).to.deep.equal(['The <title>', ...withLetters(linesOf(text))]);
  });
});

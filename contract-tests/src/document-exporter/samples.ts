import type { ExportedLine, ExportedText } from '@palimpsest/core';
import { strangeTexts } from '../kit/samples.ts';

/** Lines that an incorrect exporter damages, executes, calculates or takes for markup. XML can contain all of them. */
export const strangeExportLines: readonly string[] = [
  strangeTexts.flatMap((text) => text.split(/\r?\n/)),
  [' before', 'behind ', '  both  ', 'two  within', '\ttab\t', '\t', '\u00A0\u3000', '\u00A0'],
  [
    '<b>&amp;&lt;&#65;</b>',
    ']]>',
    '<![CDATA[x]]>',
    '<!--',
    '<?xml?>',
    '&',
    '"',
    "'",
    '</w:t></w:r>',
    '</t></is></c>',
    '{{title}}',
    '${title}',
  ],
  ['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://example.org")', "=cmd|'/C calc'!A0", '＝1', "'quoted", '{=1}'],
  ['1', '007', '1.10', '1e3', '12345678901234567890', 'TRUE', '#N/A', '2026-11-21', '1/2', '50%', '€ 5'],
  [
    'http://example.org/?a=b&c=d',
    'mailto:a@example.org',
    '\\\\server\\share',
    'file:///etc/passwd',
    '{ HYPERLINK "x" }',
    'PAGE \\* MERGEFORMAT',
  ],
  ['_x0041_', '_x005F_x0041_', '_xZZZZ_', '_x41_', '__x0000__', '_X0041_', '_x000D_', '_x0041'],
  [
    '\u007F',
    '\u0080\u0085\u009F',
    '\u00AD',
    '\u200B\u200D\u2060',
    '\uFEFFmark',
    '\u2028\u2029',
    '\u202Eoverride\u202C',
    '\uFDD0',
    '\uFFFD',
  ],
  [
    'שלום 123 abc',
    'abc שלום',
    'مرحبا، كيف الحال؟',
    '123 ١٢٣',
    '漢字かなカナ한글',
    'ไทย',
    'नमस्ते',
    '\u0301\u0301\u0301',
    'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  ],
  ['\u{1F600}', '\u{10FFFF}', '\u{1FFFE}', '\u{20BB7}野家', '👨‍👩‍👧‍👦🇩🇪👍🏽', 'ﷺ', 'ŉ Å Å', '\u1E9B\u0323'],
].flat();

/** Texts with every separator of lines, paragraphs and pages. */
export const structuredTexts: readonly string[] = [
  'One line',
  'Two\nlines',
  'A paragraph\nof two lines\n\nAnother one',
  'One\n\n\n\nfar from the other',
  '\n\nEmpty lines before',
  'Empty lines behind\n\n\n',
  'Page one\fPage two\n\nwith paragraphs\fPage three',
  'Line ends before the break\n\n\fand after it\n\n\f\n\nand before the text',
  'An empty page\f\fbefore this one',
  '\f\f',
  '\n',
  '\n\n\n\f\n\n',
  'Windows\r\nOld Mac\rand both\r\n\r\nat once',
];

/** `count` different lines of about 50 characters: 40 lines per page, 5 per paragraph. */
export function* manyLines(count: number): Generator<ExportedLine> {
  for (let i = 0; i < count; i++) {
    const noise = Math.imul(i, 2_654_435_761) >>> 0;
    const [startsPage, startsParagraph] = [i % 40 === 0, i % 6 === 0];
    const text = i % 6 === 5 ? '' : `${i} ${noise.toString(36)} ${(noise ^ 0x5bd1e995).toString(16)} lines differ`;
    yield { text, page: Math.floor(i / 40) + 1, startsPage, startsParagraph: startsPage || startsParagraph };
  }
}

/** A text that counts the lines that were read. */
export interface WatchedText extends ExportedText {
  readonly linesRead: () => number;
  /** Resolves when every iterator has ended or was closed. */
  readonly closed: () => Promise<void>;
}

/** A watched text of `count` lines. */
export const watchedText = (heading: string | undefined, count: number): WatchedText => {
  let [linesRead, open] = [0, 0];
  const waiting = new Set<() => void>();
  function* lines(): Generator<ExportedLine> {
    open++;
    try {
      for (const line of manyLines(count)) {
        linesRead++;
        yield line;
      }
    } finally {
      open--;
      if (open === 0) for (const resolve of waiting) resolve();
    }
  }
  const closed = async (): Promise<void> => {
    if (open > 0) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  return { heading, lines, linesRead: () => linesRead, closed };
};

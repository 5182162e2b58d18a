import { exportedText, exportFilename, exportFormats, utf8Length, xmlSafe, type ExportedLine } from '@palimpsest/core';
import { expect } from 'chai';
import * as fc from 'fast-check';

const linesOf = (text: string): readonly ExportedLine[] => [...exportedText('', text, true).lines()];
const textsOf = (text: string): readonly string[] => linesOf(text).map((line) => line.text);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom('\n', '\r', '\f', ' ', '\t', 'a', '\u000B', '\ud800', '\u{1F600}'), { maxLength: 60 })
    .map((parts) => parts.join('')),
);

describe('xmlSafe', () => {
  it('replaces forbidden characters with U+FFFD, and forbidden white space with spaces', () => {
    expect(xmlSafe('a\0b\u0001\u0008\u000E\u001B[31m\u001F\uFFFE\uFFFFc')).to.equal(
      'a\uFFFDb\uFFFD\uFFFD\uFFFD\uFFFD[31m\uFFFD\uFFFD\uFFFDc',
    );
    expect(xmlSafe('\ud800a\udc00\udfff\ud83d')).to.equal('\uFFFDa\uFFFD\uFFFD\uFFFD');
    expect(xmlSafe('a\u000Bb\fc')).to.equal('a b c');
  });

  it('replaces nothing else', () => {
    const allowed =
      '\t\n\r \u007F\u0080\u0085\u009F\u00AD\u2028\u202E\uD7FF\uE000\uFDD0\uFEFF\uFFFD\u{10000}\u{1FFFE}\u{10FFFF}<&>\'"]]>&#0;_x0000_';
    expect(xmlSafe(allowed)).to.equal(allowed);
  });

  it('leaves no forbidden character, and is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const safe = xmlSafe(text);
        expect(safe).to.match(/^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
        expect(safe.length).to.equal(text.length);
        expect(xmlSafe(safe)).to.equal(safe);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('exportedText', () => {
  it('has a heading only if it is formatted', () => {
    expect(exportedText('A\u0001 <b>', 'text', true).heading).to.equal('A\uFFFD <b>');
    expect(exportedText('Title', 'text', false).heading).to.equal(undefined);
  });

  it('has one more line than line ends of any kind', () => {
    expect(textsOf('')).to.deep.equal(['']);
    expect(textsOf('a\nb\r\nc\rd\n\re')).to.deep.equal(['a', 'b', 'c', 'd', '', 'e']);
    expect(textsOf('\r\n')).to.deep.equal(['', '']);
    expect(textsOf(' a \n\n')).to.deep.equal([' a ', '', '']);
    expect(textsOf('a\u2028b\u0085c\u000Bd')).to.deep.equal(['a\u2028b\u0085c d']);
  });

  it('starts a new page and a new line at each form feed', () => {
    expect(linesOf('a\n\fb\f\fc').map((line) => [line.text, line.page, line.startsPage])).to.deep.equal([
      ['a', 1, true],
      ['', 1, false],
      ['b', 2, true],
      ['', 3, true],
      ['c', 4, true],
    ]);
  });

  it('starts a new paragraph after a blank line', () => {
    const starts = (text: string): readonly string[] =>
      linesOf(text).flatMap((line) => (line.startsParagraph ? [line.text] : []));
    expect(starts('a\nb\n\nc\n \t\n\nd\nd\fe\nf')).to.deep.equal(['a', 'c', 'd', 'e']);
    expect(starts('\n\na\n\n')).to.deep.equal(['', 'a']);
    expect(starts('a\n\n\fb\nc')).to.deep.equal(['a', 'b']);
  });

  it('returns its lines lazily, and from the first line at each call', () => {
    const { lines } = exportedText('', 'a\nb\n'.repeat(2_500_000), false);
    const [first, second] = lines();
    expect([first?.text, second?.text]).to.deep.equal(['a', 'b']);
    const short = exportedText('', 'a\nb', false);
    expect([...short.lines(), ...short.lines()].map((line) => line.text)).to.deep.equal(['a', 'b', 'a', 'b']);
  });

  it('loses only line ends', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const joined = linesOf(text).map((line, i) => (i === 0 ? '' : line.startsPage ? '\f' : '\n') + line.text);
        expect(joined.join('')).to.equal(joinedByHand(text));
      }),
      { numRuns: 2000 },
    );
  });
});

/** The text with line ends of one kind, safe for XML. */
const joinedByHand = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .split('\f')
    .map((page) => xmlSafe(page))
    .join('\f');

describe('exportFilename', () => {
  const cases: readonly (readonly [title: string, stem: string])[] = [
    ['A letter', 'A letter'],
    ['résumé-日本 👩‍👩‍👧', 'résumé-日本 👩‍👩‍👧'],
    ['e\u0301', '\u00e9'],
    ['v1.2', 'v1.2'],
    ['a.docx', 'a.docx'],
    ['../../etc/passwd', '-..-etc-passwd'],
    ['C:\\x|y', 'C--x-y'],
    ['/', '-'],
    ['what? <b>"*"</b>', 'what b -b'],
    ['a \t\n  b', 'a b'],
    ['.hidden.', 'hidden'],
    [' . . ', 'document'],
    ['', 'document'],
    ['...', 'document'],
    ['???', 'document'],
    ['.\u202E.', 'document'],
    ['a\0\u001F\u009Fb', 'ab'],
    ['\u202Ecod.exe', 'cod.exe'],
    ['\ud800', '\uFFFD'],
    ['a\u2028b', 'a b'],
    ['CON', '_CON'],
    ['nul', '_nul'],
    ['com1.txt', '_com1.txt'],
    ['LPT¹', '_LPT¹'],
    ['AUX .x', '_AUX .x'],
    ['CON?', '_CON'],
    ['console', 'console'],
    ['com10', 'com10'],
    ['%2e%2e%2f', '%2e%2e%2f'],
    ['=cmd', '=cmd'],
    ['-rf', '-rf'],
  ];
  for (const [title, stem] of cases) {
    it(`is ${JSON.stringify(stem)} with the extension for ${JSON.stringify(title)}`, () => {
      for (const format of exportFormats) expect(exportFilename(title, format)).to.equal(`${stem}.${format}`);
    });
  }

  it('is cut between characters, and keeps its extension', () => {
    expect(exportFilename('a'.repeat(300), 'docx')).to.equal(`${'a'.repeat(250)}.docx`);
    expect(exportFilename('日'.repeat(300), 'xlsx')).to.equal(`${'日'.repeat(83)}.xlsx`);
    expect(exportFilename(`${'a'.repeat(249)} b`, 'xlsx')).to.equal(`${'a'.repeat(249)}.xlsx`);
  });

  it('is valid in every file system, for any title', () => {
    fc.assert(
      fc.property(anyText, (title) => {
        const name = exportFilename(title, 'xlsx');
        expect(name).to.match(
          /^[^. /\\:*?"<>|\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069][^/\\:*?"<>|\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]*(?<![. ])\.xlsx$/u,
        );
        expect(utf8Length(name)).to.be.at.most(255);
        expect(name).to.equal(name.toWellFormed().normalize('NFC'));
      }),
      { numRuns: 2000 },
    );
  });
});

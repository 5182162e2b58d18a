import {
  AppError,
  cleanFilename,
  cleanText,
  documentTitle,
  isStorableText,
  joinPages,
  titleFromFilename,
  utf8Length,
} from '@palimpsest/core';
import { expect } from 'chai';
import * as fc from 'fast-check';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 400 }).map((units) => String.fromCharCode(...units)),
);

describe('cleanFilename', () => {
  const cases: readonly (readonly [given: string, kept: string])[] = [
    ['letter.pdf', 'letter.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\x', 'x'],
    ['/abs', 'abs'],
    ['C:\\x', 'x'],
    ['con.png', 'con.png'],
    ['.png', '.png'],
    ['..', 'document'],
    ['.', 'document'],
    ['...', 'document'],
    ['', 'document'],
    ['   ', 'document'],
    ['a/', 'document'],
    ['/', 'document'],
    ['-rf.png', '-rf.png'],
    ['$(touch x).png', '$(touch x).png'],
    ['`id`.png', '`id`.png'],
    [';id;.png', ';id;.png'],
    ['a.png\0.exe', 'a.png.exe'],
    ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie: x=1.png'],
    ['a"; filename="b.exe', 'a"; filename="b.exe'],
    ['a\u202Egnp.exe', 'agnp.exe'],
    ['e\u0301.pdf', '\u00e9.pdf'],
    ['\ud800.pdf', '\ufffd.pdf'],
    [' a.pdf ', 'a.pdf'],
    ['👩‍👩‍👧.png', '👩‍👩‍👧.png'],
    ['..\0', 'document'],
    ['\u0085\u009f', 'document'],
    ['.\u200F.', 'document'],
    ['a\u0000/b', 'b'],
    ['résumé-日本.pdf', 'résumé-日本.pdf'],
  ];
  for (const [given, kept] of cases) {
    it(`${JSON.stringify(given)} becomes ${JSON.stringify(kept)}`, () => {
      expect(cleanFilename(given)).to.equal(kept);
    });
  }

  it('keeps the extension and whole characters of a long name', () => {
    expect(cleanFilename(`${'a'.repeat(300)}.pdf`)).to.equal(`${'a'.repeat(251)}.pdf`);
    expect(cleanFilename(`${'日'.repeat(300)}.pdf`)).to.equal(`${'日'.repeat(83)}.pdf`);
    expect(cleanFilename(`${'😀'.repeat(300)}.pdf`)).to.equal(`${'😀'.repeat(62)}.pdf`);
    expect(utf8Length(cleanFilename(`a.${'x'.repeat(10_000)}`))).to.equal(255);
  });

  it('returns a well-formed NFC name of 1 to 255 bytes without controls and paths, and is idempotent', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const kept = cleanFilename(given);
        expect(utf8Length(kept)).to.be.within(1, 255);
        expect(kept).to.equal(kept.toWellFormed().normalize('NFC').trim());
        expect(kept).to.not.match(/[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069/\\]/);
        expect(cleanFilename(kept)).to.equal(kept);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives a title without the extension', () => {
    for (const [name, title] of [
      ['a.pdf', 'a'],
      ['a.b.pdf', 'a.b'],
      ['.png', '.png'],
      ['a.', 'a.'],
      ['a', 'a'],
    ] as const) {
      expect(titleFromFilename(name)).to.equal(title);
    }
  });
});

describe('documentTitle', () => {
  it('is the given title on one line, trimmed, without control characters', () => {
    expect(documentTitle('  My\r\n\tletter\u2028 of May ', 'x.pdf')).to.equal('My letter of May');
    expect(documentTitle('a\0b\u202Ec\u009f', 'x.pdf')).to.equal('abc');
    expect(documentTitle('e\u0301\ud800', 'x.pdf')).to.equal('\u00e9\ufffd');
  });

  it('is the file name if the given title is missing, blank or of control characters only', () => {
    for (const given of [undefined, '', '  ', '\n\t', '\u00a0\u3000', '\0', '\u202e'])
      expect(documentTitle(given, 'scan.1.pdf')).to.equal('scan.1');
  });

  it('has at most 300 code points', () => {
    for (const character of ['a', '日', '😀']) {
      expect(documentTitle(character.repeat(300), 'x')).to.equal(character.repeat(300));
      expect(() => documentTitle(character.repeat(301), 'x'))
        .to.throw(AppError)
        .with.property('code', 'VALIDATION_ERROR');
    }
    expect(documentTitle(` ${'a'.repeat(300)}  `, 'x')).to.have.length(300);
  });

  it('is one well-formed line, and is idempotent', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        if (given.length > 300) return;
        const title = documentTitle(given, 'scan.pdf');
        expect(title).to.match(/^\S(.*\S)?$/);
        expect(title.isWellFormed()).to.equal(true);
        expect(documentTitle(title, 'other.pdf')).to.equal(title);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the text of a document', () => {
  it('has line ends of one kind and no control characters', () => {
    expect(cleanText('a\r\nb\rc\nd\fe\u0085f\u2028g\u2029h')).to.equal('a\nb\nc\nd\ne\nf\ng\nh');
    expect(cleanText('a\0b\u0001c\u001fd\u007fe\u009ff\u000bg\th')).to.equal('abcdefg\th');
    expect(cleanText('a\ud800b\udc00c😀')).to.equal('a\ufffdb\ufffdc😀');
    expect(cleanText('')).to.equal('');
  });

  it('can be stored, contains no page break, and does not change when it is cleaned again', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const text = cleanText(given);
        expect(isStorableText(text)).to.equal(true);
        expect(text).to.not.match(/[\f\r\0]/);
        expect(cleanText(text)).to.equal(text);
      }),
    );
  });

  it('joins its pages with form feeds', () => {
    expect([joinPages([]), joinPages(['a']), joinPages(['a', '', 'b'])]).to.deep.equal(['', 'a', 'a\f\fb']);
  });

  it('from a user may contain everything except NUL and lone surrogates', () => {
    for (const text of ['', 'a', '\u0001\f\r\n', '😀', '\ufffe', '\u202e', ']]>'])
      expect(isStorableText(text)).to.equal(true);
    for (const text of ['\0', 'a\0', '\ud800', 'a\udc00b', '\udc00\ud800'])
      expect(isStorableText(text)).to.equal(false);
  });
});

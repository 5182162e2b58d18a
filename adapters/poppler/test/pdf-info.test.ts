import { expect } from 'chai';
import { openingError, parsePdfInfo } from '../src/pdf-info.ts';

const REST = 'Tagged:          no\nPages:           1200\nEncrypted:       no\n';

describe('parsePdfInfo', () => {
  it('reads the page count, and the size and the rotation of each listed page', () => {
    const info = parsePdfInfo(
      `${REST}Page    1 size:  595.304 x 841.89 pts (A4)\nPage    1 rot:   0\nPage 1000 size:  1e+06 x 300 pts\nPage 1000 rot:   270\nFile size:  9 bytes\n`,
    );
    expect(info?.pageCount).to.equal(1200);
    expect(info?.pages).to.deep.equal(
      new Map([
        [1, { width: 595.304, height: 841.89, turn: 0 }],
        [1000, { width: 1e6, height: 300, turn: 270 }],
      ]),
    );
  });

  it('ignores a title that looks like page data', () => {
    const title = 'Title:           x\nPages:           7\nPage    1 size:  9 x 9 pts\nPage    1 rot:   90\n';
    const info = parsePdfInfo(`${title}${REST}Page    1 size:  612 x 792 pts (letter)\nPage    1 rot:   0\n`);
    expect([info?.pageCount, info?.pages.get(1)]).to.deep.equal([1200, { width: 612, height: 792, turn: 0 }]);
  });

  it('returns undefined for output without a page count', () => {
    for (const output of ['', 'Pages:', 'Pages: many\n']) expect(parsePdfInfo(output)).to.equal(undefined);
  });
});

describe('openingError', () => {
  it('distinguishes a password, damage and a file without pages, and does not repeat the messages of pdfinfo', () => {
    const codes = [
      ['Command Line Error: Incorrect password\n', 'DOCUMENT_ENCRYPTED'],
      ["Syntax Error: Couldn't find the 'X' security handler\n", 'DOCUMENT_ENCRYPTED'],
      [
        'Command Line Error: Wrong page range given: the first page (1) can not be after the last page (0).\n',
        'DOCUMENT_WITHOUT_PAGES',
      ],
      [
        'Syntax Error: Invalid page count 0\nCommand Line Error: Wrong page range given: the first page (1) can not be after the last page (0).\n',
        'DOCUMENT_WITHOUT_PAGES',
      ],
      [
        'Syntax Error: Page count (9) larger than number of objects (6)\nCommand Line Error: Wrong page range given: the first page (1) can not be after the last page (0).\n',
        'DOCUMENT_DAMAGED',
      ],
      ["Syntax Error: Couldn't read xref table\n", 'DOCUMENT_DAMAGED'],
      ['', 'DOCUMENT_DAMAGED'],
    ] as const;
    for (const [errors, code] of codes) {
      expect(openingError(errors).code).to.equal(code);
      expect(openingError(errors).message).to.not.match(/error|xref|\//i);
    }
  });
});

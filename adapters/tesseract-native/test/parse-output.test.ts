import { expect } from 'chai';
import { array, assert, constantFrom, property, string } from 'fast-check';
import { parseOrientation, parsePage } from '../src/parse-output.ts';

const HEADING = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n';
const PAGE = '1\t1\t0\t0\t0\t0\t0\t0\t640\t480\t-1\t\n';

describe('parsePage', () => {
  it('reads the words from the TSV rows and the text from the lines after them', () => {
    const output = `${HEADING}${PAGE}5\t1\t1\t1\t1\t1\t36\t92\t60\t24\t96.5\tThis\n5\t1\t1\t1\t1\t2\t100\t92\t9\t24\t93.5\tis\nThis is\n\n\f`;
    const page = parsePage(output);
    expect(page?.text).to.equal('This is');
    expect(page?.words.map(({ text, bbox }) => [text, bbox])).to.deep.equal([
      ['This', [36, 92, 96, 116]],
      ['is', [100, 92, 109, 116]],
    ]);
    expect(page?.confidence).to.be.closeTo(0.95, 1e-9);
  });

  it('returns an empty page if there are no word rows', () => {
    expect(parsePage(`${HEADING}${PAGE}\f`)).to.deep.equal({ text: '', confidence: 0, words: [] });
  });

  it('returns undefined for truncated, missing or other output', () => {
    for (const output of ['', HEADING, HEADING.slice(0, -1), PAGE, `${HEADING}\f`, `Error\n${HEADING}${PAGE}`])
      expect(parsePage(output)).to.equal(undefined);
    const pieces = array(
      constantFrom(HEADING, PAGE, '5\t1\t1\t1\t1\t1\t36\t92\t60\t24\t96.5\tword\n', '\t', '\n', 'text\n', '5\t'),
      { maxLength: 8 },
    );
    assert(property(pieces, (parts) => void parsePage(parts.join(''))));
    assert(property(string(), (output) => void expect(parsePage(output)).to.equal(undefined)));
  });
});

describe('parseOrientation', () => {
  it('returns the turn that makes the page upright', () => {
    const output =
      'Page number: 0\nOrientation in degrees: 90\nRotate: 270\nOrientation confidence: 10.86\nScript: Latin\nScript confidence: 10.56\n';
    expect(parseOrientation(output)).to.deep.equal({ degrees: 270, confidence: 10.86 });
    expect(parseOrientation(output.replace('270', '45'))).to.equal(undefined);
    expect(parseOrientation('')).to.equal(undefined);
  });
});

import { expect } from 'chai';
import { doubtfulHeadlines, withHeadline } from '@palimpsest/core';
import type { BoundingBox, PageText, Word } from '@palimpsest/core';

const size = { width: 1000, height: 1400 };

const aWord = (text: string, confidence: number, bbox: BoundingBox, line: number): Word => ({
  text,
  confidence,
  bbox,
  line,
  block: line,
});

const body = [1, 2, 3, 4].map((line) => aWord('ordinary', 0.95, [100, 200 + 50 * line, 300, 230 + 50 * line], line));

const aPage = (...words: readonly Word[]): PageText => ({
  text: [words.map(({ text }) => text).join(' '), '', 'ordinary', 'ordinary', 'ordinary', 'ordinary'].join('\n'),
  confidence: 0.8,
  words: [...words, ...body],
});

describe('doubtfulHeadlines', () => {
  it('returns consecutive large words of low confidence, with a margin around them', () => {
    const [first, second] = [aWord('Chaptcr', 0.3, [100, 20, 500, 120], 0), aWord('Two', 0.5, [520, 30, 620, 110], 0)];
    const page = aPage(first, second, aWord('1', 0.9, [640, 30, 660, 110], 0));
    expect(doubtfulHeadlines(page, size)).to.deep.equal([{ words: [first, second], region: [75, 0, 645, 145] }]);
  });

  it('ignores other words of the line', () => {
    const page = aPage(aWord('BAYONNE', 0.9, [100, 20, 500, 120], 0), aWord('legend', 0.1, [520, 60, 560, 80], 0));
    expect(doubtfulHeadlines(page, size)).to.deep.equal([]);
  });

  it('returns no words that are confident, small, or without letters', () => {
    for (const word of [
      aWord('Chapter', 0.9, [100, 20, 500, 120], 0),
      aWord('smudged', 0.2, [100, 20, 300, 50], 0),
      aWord('~|~', 0.1, [100, 20, 500, 120], 0),
    ]) {
      expect(doubtfulHeadlines(aPage(word), size)).to.deep.equal([]);
    }
    expect(doubtfulHeadlines({ text: '', confidence: 0, words: [] }, size)).to.deep.equal([]);
  });

  it('returns at most two headlines', () => {
    const titles = [10, 11, 12].map((line) => aWord('Large', 0.3, [100, 20, 500, 120], line));
    expect(doubtfulHeadlines({ ...aPage(), words: [...titles, ...body] }, size)).to.have.length(2);
  });
});

describe('withHeadline', () => {
  const before = aWord('Chaptcr', 0.3, [100, 20, 500, 120], 0);
  const page = aPage(before);
  const headline = { words: [before], region: [80, 0, 520, 140] as const };
  const secondReading = (confidence: number): PageText => ({
    text: 'Chapter',
    confidence,
    words: [aWord('Chapter', confidence, [22, 22, 352, 106], 0)],
  });
  const regionImage = { width: 352, height: 112 };

  it('replaces the headline in the text and in the words, at its position on the page', () => {
    const better = withHeadline(page, headline, secondReading(0.9), regionImage);
    expect(better?.text.split('\n')[0]).to.equal('Chapter');
    expect(better?.words.slice(1)).to.deep.equal(body);
    expect(better?.words[0]).to.deep.equal({ ...before, text: 'Chapter', confidence: 0.9, bbox: [107, 27, 520, 133] });
    expect(better?.confidence).to.be.closeTo((0.9 + 4 * 0.95) / 5, 1e-9);
  });

  it('keeps the other words of the line', () => {
    const number = aWord('II', 0.9, [520, 30, 560, 110], 0);
    const better = withHeadline(aPage(before, number), headline, secondReading(0.9), regionImage);
    expect(better?.text.split('\n')[0]).to.equal('Chapter II');
    expect(better?.words[1]).to.equal(number);
  });

  it('returns undefined if the second reading has several lines', () => {
    const two = secondReading(0.9);
    const lines = { ...two, words: [...two.words, aWord('more', 0.9, [0, 107, 50, 112], 1)] };
    expect(withHeadline(page, headline, lines, regionImage)).to.equal(undefined);
  });

  it('returns undefined if the second reading is not clearly more confident, is empty, or the headline is not in the text', () => {
    expect(withHeadline(page, headline, secondReading(0.4), regionImage)).to.equal(undefined);
    expect(withHeadline(page, headline, { text: '', confidence: 0, words: [] }, regionImage)).to.equal(undefined);
    expect(withHeadline({ ...page, text: 'something else' }, headline, secondReading(0.9), regionImage)).to.equal(
      undefined,
    );
  });
});

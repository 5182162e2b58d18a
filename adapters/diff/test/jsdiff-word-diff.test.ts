import type { TextChange } from '@palimpsest/core';
import { describeWordDiff } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { compareTexts } from '../src/compare-texts.ts';
import { JsdiffWordDiff } from '../src/jsdiff-word-diff.ts';
import { packChanges, unpackChanges } from '../src/packed-changes.ts';

describeWordDiff('JsdiffWordDiff', async () => ({ subject: new JsdiffWordDiff(), close: async () => {} }));

const going = new AbortController().signal;

const textOf = (changes: readonly TextChange[], without: TextChange['op']): string =>
  changes.map(({ op, text }) => (op === without ? '' : text)).join('');

const lengthOf = (changes: readonly TextChange[], wanted: TextChange['op']): number =>
  changes.reduce((length, { op, text }) => (op === wanted ? length + text.length : length), 0);

const words = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `w${(i * 7_919 + (i >> 5)) % 10_007} `);

describe('JsdiffWordDiff on texts with more changes than are looked for exactly', function () {
  this.timeout(30_000);

  it('keeps what lies between the changes', async () => {
    const from = words(120_000);
    const to = from.map((word, i) => (i % 30 === 0 ? `changed${i} ` : word));
    const changes = await new JsdiffWordDiff().compare(from.join(''), to.join(''), going);
    expect(textOf(changes, 'insert') === from.join('')).to.equal(true);
    expect(textOf(changes, 'delete') === to.join('')).to.equal(true);
    expect(changes.filter(({ op }) => op === 'insert')).to.have.length.within(3_900, 4_000);
    expect(lengthOf(changes, 'equal')).to.be.above(0.95 * from.join('').length);
  });

  it('keeps the longer of two passages that changed places', async () => {
    const [first, second] = [
      words(200_000).slice(0, 40_000).join(''),
      words(200_000).slice(120_000).join('').toUpperCase(),
    ];
    const changes = await new JsdiffWordDiff().compare(first + second, second + first, going);
    expect(lengthOf(changes, 'equal')).to.be.within(second.length - 2, second.length + 100);
  });
});

describe('comparing texts in one go', () => {
  const [from, to] = ['a b c d e f', 'x b y d z f'];
  const replaced: readonly TextChange[] = [
    { op: 'delete', text: 'a b c d e' },
    { op: 'insert', text: 'x b y d z' },
    { op: 'equal', text: ' f' },
  ];

  it('says whether the fewest changed words were found', () => {
    expect(compareTexts({ from, to }, { fewChanges: 6 }).isExact).to.equal(true);
    const { changes, isExact } = compareTexts({ from, to }, { fewChanges: 5 });
    expect(isExact).to.equal(false);
    expect(changes).to.deep.equal(replaced);
  });

  it('goes on to look for more while there is time', () => {
    const exact = compareTexts({ from, to }, { fewChanges: 6 }).changes;
    const further = { mostChanges: 6, mostChangesInPart: 0, timeoutMs: 10_000 };
    expect(compareTexts({ from, to }, { fewChanges: 1, further })).to.deep.equal({ changes: exact, isExact: true });
    const late = { ...further, timeoutMs: -1 };
    expect(compareTexts({ from, to }, { fewChanges: 1, further: late })).to.deep.equal({
      changes: replaced,
      isExact: false,
    });
  });

  it('finds the same in divided texts where the words between the changes are there once', () => {
    const exact = compareTexts({ from, to }, { fewChanges: 6 }).changes;
    const further = { mostChanges: 2, mostChangesInPart: 2, timeoutMs: 10_000 };
    expect(compareTexts({ from, to }, { fewChanges: 1, further })).to.deep.equal({ changes: exact, isExact: false });
  });
});

describe('changes handed from thread to thread', () => {
  it('are the same on the other side', async () => {
    const texts = { from: 'one two '.repeat(30_000), to: 'one three '.repeat(30_000) };
    const changes = Array.from({ length: 30_000 }, (): readonly TextChange[] => [
      { op: 'equal', text: 'one ' },
      { op: 'delete', text: 'two' },
      { op: 'insert', text: 'three' },
      { op: 'equal', text: ' ' },
    ]).flat();
    expect(await unpackChanges(packChanges(changes), texts, going)).to.deep.equal(changes);
    expect(await unpackChanges(packChanges([]), { from: '', to: '' }, going)).to.deep.equal([]);
  });
});

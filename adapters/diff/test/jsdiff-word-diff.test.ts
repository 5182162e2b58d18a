import type { TextChange } from '@palimpsest/core';
import { describeWordDiff } from '@palimpsest/contract-tests';
import { expect } from 'chai';
import { compareTexts } from '../src/compare-texts.ts';
import { JsdiffWordDiff } from '../src/jsdiff-word-diff.ts';
import { packChanges, unpackChanges } from '../src/packed-changes.ts';

describeWordDiff('JsdiffWordDiff', async () => ({ subject: new JsdiffWordDiff(), close: async () => {} }));

const notAborted = new AbortController().signal;

const textOf = (changes: readonly TextChange[], without: TextChange['op']): string =>
  changes.map(({ op, text }) => (op === without ? '' : text)).join('');

const lengthOf = (changes: readonly TextChange[], wanted: TextChange['op']): number =>
  changes.reduce((length, { op, text }) => (op === wanted ? length + text.length : length), 0);

const words = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `w${(i * 7_919 + (i >> 5)) % 10_007} `);

describe('compareTexts with more changes than it may find exactly', () => {
  // Without a time limit, so that the result does not depend on the speed of the machine.
  const limits = { fewChanges: 20, further: { mostChanges: 50, mostChangesInPart: 40, timeoutMs: Infinity } };
  const compare = (from: string, to: string): readonly TextChange[] => compareTexts({ from, to }, limits).changes;

  it('keeps the words between the changes', () => {
    const from = words(6_000);
    const to = from.map((word, i) => (i % 30 === 0 ? `changed${i} ` : word));
    const changes = compare(from.join(''), to.join(''));
    expect(textOf(changes, 'insert')).to.equal(from.join(''));
    expect(textOf(changes, 'delete')).to.equal(to.join(''));
    expect(changes.filter(({ op }) => op === 'insert')).to.have.length(200);
  });

  it('keeps the longer one of two swapped passages', () => {
    const all = words(10_000);
    const [first, second] = [all.slice(0, 2_000).join(''), all.slice(6_000).join('').toUpperCase()];
    expect(lengthOf(compare(first + second, second + first), 'equal')).to.be.within(
      second.length - 2,
      second.length + 100,
    );
  });
});

describe('compareTexts', () => {
  const [from, to] = ['a b c d e f', 'x b y d z f'];
  const replaced: readonly TextChange[] = [
    { op: 'delete', text: 'a b c d e' },
    { op: 'insert', text: 'x b y d z' },
    { op: 'equal', text: ' f' },
  ];

  it('returns whether the result has the fewest changed words', () => {
    expect(compareTexts({ from, to }, { fewChanges: 6 }).isExact).to.equal(true);
    const { changes, isExact } = compareTexts({ from, to }, { fewChanges: 5 });
    expect(isExact).to.equal(false);
    expect(changes).to.deep.equal(replaced);
  });

  it('searches for more changes only until the time limit', () => {
    const exact = compareTexts({ from, to }, { fewChanges: 6 }).changes;
    const further = { mostChanges: 6, mostChangesInPart: 0, timeoutMs: 10_000 };
    expect(compareTexts({ from, to }, { fewChanges: 1, further })).to.deep.equal({ changes: exact, isExact: true });
    const late = { ...further, timeoutMs: -1 };
    expect(compareTexts({ from, to }, { fewChanges: 1, further: late })).to.deep.equal({
      changes: replaced,
      isExact: false,
    });
  });

  it('finds the exact result in divided texts if the words between the changes are unique', () => {
    const exact = compareTexts({ from, to }, { fewChanges: 6 }).changes;
    const further = { mostChanges: 2, mostChangesInPart: 2, timeoutMs: 10_000 };
    expect(compareTexts({ from, to }, { fewChanges: 1, further })).to.deep.equal({ changes: exact, isExact: false });
  });
});

describe('packChanges and unpackChanges', () => {
  it('return the original changes', async () => {
    const texts = { from: 'one two '.repeat(2_000), to: 'one three '.repeat(2_000) };
    const changes = Array.from({ length: 2_000 }, (): readonly TextChange[] => [
      { op: 'equal', text: 'one ' },
      { op: 'delete', text: 'two' },
      { op: 'insert', text: 'three' },
      { op: 'equal', text: ' ' },
    ]).flat();
    expect(await unpackChanges(packChanges(changes), texts, notAborted)).to.deep.equal(changes);
    expect(await unpackChanges(packChanges([]), { from: '', to: '' }, notAborted)).to.deep.equal([]);
  });
});

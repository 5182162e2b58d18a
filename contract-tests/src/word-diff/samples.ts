import { wordsOf, type TextChange } from '@palimpsest/core';
import { AssertionError, expect } from 'chai';

const SIGNS = { equal: '=', insert: '+', delete: '-' } as const;

/** Changes in short notation: "=kept", "-deleted", "+inserted". */
export const shown = (changes: readonly TextChange[]): readonly string[] =>
  changes.map(({ op, text }) => SIGNS[op] + text);

const textOf = (changes: readonly TextChange[], without: TextChange['op']): string =>
  changes
    .filter(({ op }) => op !== without)
    .map(({ text }) => text)
    .join('');

/** Fails if a change begins or ends inside a word or inside a CRLF. */
const expectWholeWords = (text: string, changes: readonly TextChange[], without: TextChange['op']): void => {
  const offsets = new Set<number>();
  let offset = 0;
  for (const change of changes) {
    if (change.op === without) continue;
    offset += change.text.length;
    offsets.add(offset);
    if (text.startsWith('\r\n', offset - 1)) throw new AssertionError(`A CRLF is split at ${offset}`);
  }
  for (const { 0: word, index } of wordsOf(text)) {
    if (word.length === 1) continue;
    for (let inside = index + 1; inside < index + word.length; inside++) {
      if (offsets.has(inside)) throw new AssertionError(`${JSON.stringify(word.slice(0, 100))} is split at ${inside}`);
    }
  }
};

/** Fails unless the changes turn `from` into `to` and have the form that `WordDiff` promises. */
export const expectValidChanges = (from: string, to: string, changes: readonly TextChange[]): void => {
  // Not `expect().to.equal()`: chai needs minutes to show the difference of long texts.
  if (textOf(changes, 'insert') !== from)
    throw new AssertionError('The equal and deleted texts together are not the first text');
  if (textOf(changes, 'delete') !== to)
    throw new AssertionError('The equal and inserted texts together are not the second text');
  for (const [i, { op, text }] of changes.entries()) {
    if (text === '') throw new AssertionError('A change has no text');
    if (op !== 'equal' && op !== 'insert' && op !== 'delete')
      throw new AssertionError('A change is of an unknown kind');
    if (op === changes[i - 1]?.op) throw new AssertionError(`Two changes in a row are ${op}`);
    if (op === 'delete' && changes[i - 1]?.op === 'insert')
      throw new AssertionError('An insertion precedes a deletion');
  }
  for (const change of changes.slice(0, 10)) expect(change).to.have.all.keys('op', 'text');
  expectWholeWords(from, changes, 'insert');
  expectWholeWords(to, changes, 'delete');
};

const wordList = (text: string): readonly string[] => Array.from(wordsOf(text), ([word]) => word);

/** The number of deleted and inserted words. */
export const changedWords = (changes: readonly TextChange[]): number =>
  changes.reduce((count, { op, text }) => (op === 'equal' ? count : count + wordList(text).length), 0);

/** The smallest number of deleted and inserted words, computed from the longest common subsequence. */
export const fewestChangedWords = (from: string, to: string): number => {
  const [here, there] = [wordList(from), wordList(to)];
  let above = there.map(() => 0);
  for (const word of here) {
    const row: number[] = [];
    for (const [i, other] of there.entries()) {
      row.push(word === other ? (above[i - 1] ?? 0) + 1 : Math.max(row[i - 1] ?? 0, above[i] ?? 0));
    }
    above = row;
  }
  return here.length + there.length - 2 * (above.at(-1) ?? 0);
};

/** Pseudo-random whole numbers from 0 to `below - 1`; the same for the same seed (Knuth's MMIX generator). */
export const randomChoice = (seed: number): ((below: number) => number) => {
  let state = BigInt(seed);
  return (below) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 33n) % below;
  };
};

const PARTS = [
  'one ',
  'two ',
  'three ',
  'one',
  'two',
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\t',
  '.',
  ', ',
  "'",
  '-',
  '漢',
  '字',
  'かな',
  'น้ำ',
  '한국 ',
  'é',
  'e\u0301',
  ' \u0301',
];
const RARE_PARTS = [
  '\u0301',
  '\u200d',
  '👩‍👧',
  '👩',
  '🇩🇪',
  '🇫',
  '𝔘',
  '\ud800',
  '\udfff',
  '\0',
  '\u00ad',
  '1️⃣',
  'က္က',
  '\ufeff',
  '\u2028',
];

/** Up to `most` parts of a text in which words repeat. */
export const randomTextParts = (random: (below: number) => number, most: number): readonly string[] =>
  Array.from(
    { length: random(most + 1) },
    () => (random(8) === 0 ? RARE_PARTS[random(RARE_PARTS.length)] : PARTS[random(PARTS.length)]) ?? '',
  );

const manyWords = (seed: number, count: number, ending: string): readonly string[] => {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const word = (state >>> 12) % 30_000;
    return `${word.toString(26)}${ending}${word % 12 === 0 ? '.\n' : ' '}`;
  });
};

/** `count` words of a long text, each with its white space. 900,000 words are more than 5 MiB. */
export const longText = (count: number): readonly string[] => manyWords(1, count, 'ing');

/** `count` words that do not occur in {@link longText}. */
export const unlikeLongText = (count: number): readonly string[] => manyWords(2, count, 'ed');

interface WordDiffCase {
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly changes: readonly string[]; // as shown
}

const aCase = (title: string, from: string, to: string, ...changes: readonly string[]): WordDiffCase => ({
  title,
  from,
  to,
  changes,
});

/** Pairs of texts with exactly one correct result. */
export const wordDiffCases: readonly WordDiffCase[] = [
  aCase('replaces a word between others', 'foo bar baz', 'foo qux baz', '=foo ', '-bar', '+qux', '= baz'),
  aCase('replaces the first word', 'bar baz', 'qux baz', '-bar', '+qux', '= baz'),
  aCase('replaces the last word', 'foo bar', 'foo qux', '=foo ', '-bar', '+qux'),
  aCase('deletes a word', 'foo bar baz', 'foo baz', '=foo ', '-bar ', '=baz'),
  aCase('inserts a word', 'foo baz', 'foo bar baz', '=foo ', '+bar ', '=baz'),
  aCase('inserts a line', 'one\ntwo\n', 'one\nand a half\ntwo\n', '=one\n', '+and a half\n', '=two\n'),
  aCase(
    'returns neighbouring changed words as one change',
    'a quick brown fox',
    'a slow red fox',
    '=a ',
    '-quick brown',
    '+slow red',
    '= fox',
  ),
  aCase('replaces whole words, not letters', 'colour', 'color', '-colour', '+color'),
  aCase('treats upper and lower case as different words', 'The end', 'the end', '-The', '+the', '= end'),
  aCase(
    'treats composed and decomposed letters as different words',
    'caf\u00e9 au lait',
    'cafe\u0301 au lait',
    '-caf\u00e9',
    '+cafe\u0301',
    '= au lait',
  ),
  aCase('treats letters and digits together as one word', 'a1b2 c', 'a1b3 c', '-a1b2', '+a1b3', '= c'),
  aCase(
    'treats punctuation as separate words',
    'Hello, world.',
    'Hello; world!',
    '=Hello',
    '-,',
    '+;',
    '= world',
    '-.',
    '+!',
  ),
  aCase('treats each punctuation mark as a word', 'wait...', 'wait..!', '=wait..', '-.', '+!'),
  aCase('treats the parts of a decimal number as separate words', '3.14', '3.15', '=3.', '-14', '+15'),
  aCase('keeps Cyrillic words whole', 'Привет мир', 'Приветы мир', '-Привет', '+Приветы', '= мир'),
  aCase('keeps Korean words whole', '나는 학교에 간다', '나는 학교로 간다', '=나는 ', '-학교에', '+학교로', '= 간다'),
  aCase('keeps words with vowel signs whole', 'हिन्दी भाषा', 'हिन्दू भाषा', '-हिन्दी', '+हिन्दू', '= भाषा'),
  aCase('keeps words with soft hyphens whole', 'Wort\u00adteil', 'Wortteil', '-Wort\u00adteil', '+Wortteil'),
  aCase('treats each Chinese character as a word', '我喜歡茶', '我喜歡咖啡', '=我喜歡', '-茶', '+咖啡'),
  aCase('treats each Japanese character as a word', 'お茶をのむ', 'お水をのむ', '=お', '-茶', '+水', '=をのむ'),
  aCase('treats each Thai character with its vowel signs as a word', 'ดื่มน้ำชา', 'ดื่มนมชา', '=ดื่ม', '-น้ำ', '+นม', '=ชา'),
  aCase('keeps surrogate pairs whole', 'a 𝔘 b 👍', 'a 𝔙 b 👎', '=a ', '-𝔘', '+𝔙', '= b ', '-👍', '+👎'),
  aCase('keeps an emoji sequence whole', '👩‍👩‍👧 x', '👩‍👩‍👦 x', '-👩‍👩‍👧', '+👩‍👩‍👦', '= x'),
  aCase('keeps an emoji and its skin tone together', '👍🏽.', '👍🏿.', '-👍🏽', '+👍🏿', '=.'),
  aCase('keeps flags whole', '🇩🇪🇫🇷', '🇩🇪🇫🇮', '=🇩🇪', '-🇫🇷', '+🇫🇮'),
  aCase('keeps a character and its combining mark together', '=\u0338 x', '= x', '-=\u0338', '+=', '= x'),
  aCase('shows the deletion of one of two spaces', 'a  b', 'a b', '=a ', '- ', '=b'),
  aCase('shows a space that became a line break', 'a b', 'a\nb', '=a', '- ', '+\n', '=b'),
  aCase('shows a changed line break as a whole', 'a\r\nb', 'a\nb', '=a', '-\r\n', '+\n', '=b'),
  aCase('shows white space inserted at the end', 'a', 'a\n', '=a', '+\n'),
  aCase('shows white space deleted at the beginning', '  a', 'a', '-  ', '=a'),
  aCase('shows two words that were joined', 'foot ball', 'football', '-foot ball', '+football'),
  aCase('keeps a common word in preference to common spaces', 'a b c d x', 'x e f g h', '-a b c d ', '=x', '+ e f g h'),
  aCase('shows a moved passage as an insertion and a deletion', 'a b c d e', 'd e a b c', '+d e ', '=a b c', '- d e'),
  aCase(
    'compares words that are names of object properties',
    '__proto__ x',
    'constructor x',
    '-__proto__',
    '+constructor',
    '= x',
  ),
];

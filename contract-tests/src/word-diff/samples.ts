import { wordsOf, type TextChange } from '@palimpsest/core';
import { AssertionError, expect } from 'chai';

const SIGNS = { equal: '=', insert: '+', delete: '-' } as const;

/** Changes in short: "=kept", "-taken out", "+put in". */
export const shown = (changes: readonly TextChange[]): readonly string[] =>
  changes.map(({ op, text }) => SIGNS[op] + text);

const textOf = (changes: readonly TextChange[], without: TextChange['op']): string =>
  changes
    .filter(({ op }) => op !== without)
    .map(({ text }) => text)
    .join('');

/** The places in a text where no word goes on, and its line ends are whole. */
const expectWordsWhole = (text: string, changes: readonly TextChange[], without: TextChange['op']): void => {
  const places = new Set<number>();
  let place = 0;
  for (const change of changes) {
    if (change.op === without) continue;
    place += change.text.length;
    places.add(place);
    if (text.startsWith('\r\n', place - 1)) throw new AssertionError(`A line end is cut at ${place}`);
  }
  for (const { 0: word, index } of wordsOf(text)) {
    if (word.length === 1) continue;
    for (let inside = index + 1; inside < index + word.length; inside++) {
      if (places.has(inside)) throw new AssertionError(`${JSON.stringify(word.slice(0, 100))} is cut at ${inside}`);
    }
  }
};

/** Passes if the changes turn the one text into the other, in the form that `WordDiff` promises. */
export const expectLaws = (from: string, to: string, changes: readonly TextChange[]): void => {
  // Not by `equal`: to show where texts of megabytes differ takes minutes.
  if (textOf(changes, 'insert') !== from)
    throw new AssertionError('What is kept and what is taken out is not the first text');
  if (textOf(changes, 'delete') !== to)
    throw new AssertionError('What is kept and what is put in is not the second text');
  for (const [i, { op, text }] of changes.entries()) {
    if (text === '') throw new AssertionError('A change has no text');
    if (op !== 'equal' && op !== 'insert' && op !== 'delete')
      throw new AssertionError('A change is of an unknown kind');
    if (op === changes[i - 1]?.op) throw new AssertionError(`Two changes in a row are ${op}`);
    if (op === 'delete' && changes[i - 1]?.op === 'insert')
      throw new AssertionError('An insertion stands before a deletion');
  }
  for (const change of changes.slice(0, 10)) expect(change).to.have.all.keys('op', 'text');
  expectWordsWhole(from, changes, 'insert');
  expectWordsWhole(to, changes, 'delete');
};

const wordList = (text: string): readonly string[] => Array.from(wordsOf(text), ([word]) => word);

/** How many words were taken out and put in. */
export const changedWords = (changes: readonly TextChange[]): number =>
  changes.reduce((count, { op, text }) => (op === 'equal' ? count : count + wordList(text).length), 0);

/** How many words have to be taken out and put in: by their longest common subsequence, from the table of all beginnings. */
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

/** Random numbers from 0 up to, and without, the one given; the same for the same seed. D. E. Knuth's MMIX, its upper bits. */
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

/** Up to so many pieces of a text in which words come again and again. */
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

/** So many words of a long text, each with what follows it; 900,000 are more than 5 MiB. */
export const longText = (count: number): readonly string[] => manyWords(1, count, 'ing');

/** So many words that {@link longText} has none of. */
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

/** Texts and what is to be found between them, where there is no choice. */
export const wordDiffCases: readonly WordDiffCase[] = [
  aCase('replaces a word between others', 'foo bar baz', 'foo qux baz', '=foo ', '-bar', '+qux', '= baz'),
  aCase('replaces the first word', 'bar baz', 'qux baz', '-bar', '+qux', '= baz'),
  aCase('replaces the last word', 'foo bar', 'foo qux', '=foo ', '-bar', '+qux'),
  aCase('takes a word out', 'foo bar baz', 'foo baz', '=foo ', '-bar ', '=baz'),
  aCase('puts a word in', 'foo baz', 'foo bar baz', '=foo ', '+bar ', '=baz'),
  aCase('puts a line in', 'one\ntwo\n', 'one\nand a half\ntwo\n', '=one\n', '+and a half\n', '=two\n'),
  aCase(
    'counts neighbouring words as one change',
    'a quick brown fox',
    'a slow red fox',
    '=a ',
    '-quick brown',
    '+slow red',
    '= fox',
  ),
  aCase('replaces a word and never letters', 'colour', 'color', '-colour', '+color'),
  aCase('tells letters by case', 'The end', 'the end', '-The', '+the', '= end'),
  aCase(
    'tells one way to write a letter from another',
    'caf\u00e9 au lait',
    'cafe\u0301 au lait',
    '-caf\u00e9',
    '+cafe\u0301',
    '= au lait',
  ),
  aCase('takes digits and letters together', 'a1b2 c', 'a1b3 c', '-a1b2', '+a1b3', '= c'),
  aCase('takes punctuation alone', 'Hello, world.', 'Hello; world!', '=Hello', '-,', '+;', '= world', '-.', '+!'),
  aCase('takes each mark of punctuation alone', 'wait...', 'wait..!', '=wait..', '-.', '+!'),
  aCase('takes a number by its parts', '3.14', '3.15', '=3.', '-14', '+15'),
  aCase('leaves words with letters of any script whole', 'Привет мир', 'Приветы мир', '-Привет', '+Приветы', '= мир'),
  aCase('leaves Korean words whole', '나는 학교에 간다', '나는 학교로 간다', '=나는 ', '-학교에', '+학교로', '= 간다'),
  aCase('leaves words with vowel signs whole', 'हिन्दी भाषा', 'हिन्दू भाषा', '-हिन्दी', '+हिन्दू', '= भाषा'),
  aCase('leaves words with soft hyphens whole', 'Wort\u00adteil', 'Wortteil', '-Wort\u00adteil', '+Wortteil'),
  aCase('takes Chinese by the character', '我喜歡茶', '我喜歡咖啡', '=我喜歡', '-茶', '+咖啡'),
  aCase('takes Japanese by the character', 'お茶をのむ', 'お水をのむ', '=お', '-茶', '+水', '=をのむ'),
  aCase('takes Thai by the character, with its vowel signs', 'ดื่มน้ำชา', 'ดื่มนมชา', '=ดื่ม', '-น้ำ', '+นม', '=ชา'),
  aCase('never divides a surrogate pair', 'a 𝔘 b 👍', 'a 𝔙 b 👎', '=a ', '-𝔘', '+𝔙', '= b ', '-👍', '+👎'),
  aCase('never divides an emoji', '👩‍👩‍👧 x', '👩‍👩‍👦 x', '-👩‍👩‍👧', '+👩‍👩‍👦', '= x'),
  aCase('never divides an emoji from the tone of its skin', '👍🏽.', '👍🏿.', '-👍🏽', '+👍🏿', '=.'),
  aCase('never divides a flag', '🇩🇪🇫🇷', '🇩🇪🇫🇮', '=🇩🇪', '-🇫🇷', '+🇫🇮'),
  aCase('never divides what carries a mark', '=\u0338 x', '= x', '-=\u0338', '+=', '= x'),
  aCase('shows that one space of two is gone', 'a  b', 'a b', '=a ', '- ', '=b'),
  aCase('shows a space that became a line end', 'a b', 'a\nb', '=a', '- ', '+\n', '=b'),
  aCase('shows a line end that was changed, whole', 'a\r\nb', 'a\nb', '=a', '-\r\n', '+\n', '=b'),
  aCase('shows white space that was put in at the end', 'a', 'a\n', '=a', '+\n'),
  aCase('shows white space that was taken out at the beginning', '  a', 'a', '-  ', '=a'),
  aCase('shows words that were joined', 'foot ball', 'football', '-foot ball', '+football'),
  aCase('keeps a word rather than the spaces around others', 'a b c d x', 'x e f g h', '-a b c d ', '=x', '+ e f g h'),
  aCase('shows a passage that was moved', 'a b c d e', 'd e a b c', '+d e ', '=a b c', '- d e'),
  aCase('takes names of properties for words', '__proto__ x', 'constructor x', '-__proto__', '+constructor', '= x'),
];

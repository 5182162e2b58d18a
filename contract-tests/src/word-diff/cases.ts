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

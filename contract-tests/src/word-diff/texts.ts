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

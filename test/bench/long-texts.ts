const COMMON = `the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one
you were all her she there would their we him been has when who will no more if out so up said what its about than into them can only`;
const OTHER = `harbour master letter received invoice amount shipment Rotterdam Hamburg insurance vessel captain weather December quarter
ledger account payable balance committee minutes resolution chairman secretary annexed paragraph hereinafter notwithstanding railway
timber cotton barrels delivered Thursday warehouse inspection certificate signature witness parish register baptism married widow
R&D <unclear> £1,250.00 12.5% 1887 No.43 "copy" café naïve señor Zürich`;
const SYLLABLES =
  'ba con der en fi gra hol in ka lor mi nes o pre qui ra sta ter ul ven wes yor ter ing ed ly er tion ment'.split(' ');

const words = (list: string): readonly string[] => list.split(/\s+/);
const [common, other] = [words(COMMON), words(OTHER)];

const LINE_LENGTH = 50;
const LINES_OF_PAGE = 45;
const LINES_OF_PARAGRAPH = 12;

/** The last line of the texts, so that a missing end is detected. */
export const LAST_LINE = 'This was the last line.';

/** Reproducible random numbers from 0 to 1 (mulberry32 by Tommy Ettinger). */
const randomNumbers = (): (() => number) => {
  let state = 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Appends lines until the text has at least `bytes` of UTF-8. */
const textOf = (bytes: number, nextLine: (number: number) => string): string => {
  const lines: string[] = [];
  for (let [number, size] = [0, LAST_LINE.length]; size < bytes; number++) {
    const line = nextLine(number);
    lines.push(line);
    size += Buffer.byteLength(line);
  }
  return `${lines.join('')}${LAST_LINE}`;
};

/**
 * Prose like recognized text: lines of about fifty letters in paragraphs and pages, with common words, rare words and
 * unique names. It compresses about as well as English.
 */
export const proseText = (bytes: number): string => {
  const random = randomNumbers();
  const oneOf = (list: readonly string[]): string => list[Math.floor(list.length * random())] ?? '';
  const word = (): string => {
    const kind = random();
    if (kind < 0.5) return oneOf(common);
    if (kind < 0.8) return oneOf(other);
    return Array.from({ length: 2 + Math.floor(3 * random()) }, () => oneOf(SYLLABLES)).join('');
  };
  return textOf(bytes, (number) => {
    let line = word();
    while (line.length < LINE_LENGTH - 3) line += ` ${word()}`;
    if (number % LINES_OF_PAGE === LINES_OF_PAGE - 1) return `${line}\f`;
    return number % LINES_OF_PARAGRAPH === LINES_OF_PARAGRAPH - 1 ? `${line}\n\n` : `${line}\n`;
  });
};

/** Lines of one letter: the maximum number of non-empty lines for a given size. */
export const shortLines = (bytes: number): string => {
  const random = randomNumbers();
  return textOf(bytes, () => `${String.fromCharCode(97 + Math.floor(26 * random()))}\n`);
};

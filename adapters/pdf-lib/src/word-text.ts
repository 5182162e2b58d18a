// Controls, and what readers of PDF take for the end of a line or for nothing at all.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
const DIGIT = /\p{Nd}/u;
const MARK = /\p{M}/u;
const LETTER = /\p{L}/u;

type Direction = 'left' | 'right'; // towards which the text runs

const directionOf = (character: string): Direction | undefined => {
  if (DIGIT.test(character)) return 'right';
  if (RIGHT_TO_LEFT.test(character)) return 'left';
  return LETTER.test(character) ? 'right' : undefined;
};

interface Run {
  readonly direction: Direction;
  readonly characters: string[];
}

/**
 * Runs of one direction. Signs go with the letters around them, and between two directions with the digits or letters that
 * run rightwards: readers end a run only where a letter of the other direction stands.
 */
const runsOf = (characters: readonly string[], base: Direction): Run[] => {
  const own = characters.map(directionOf);
  characters.forEach((character, i) => {
    if (i > 0 && MARK.test(character)) own[i] = own[i - 1];
  });
  const after = own.slice();
  for (let i = after.length - 1; i >= 0; i--) after[i] ??= after[i + 1] ?? base;
  const runs: Run[] = [];
  let before = base;
  characters.forEach((character, i) => {
    const direction = own[i] ?? (before === after[i] ? before : 'right');
    if (own[i] !== undefined) before = direction;
    if (runs.at(-1)?.direction === direction) runs.at(-1)?.characters.push(character);
    else runs.push({ direction, characters: [character] });
  });
  return runs;
};

/**
 * The characters of a word in the order in which they are drawn from left to right, from which readers work out the
 * logical one: a simple case of the Unicode bidirectional algorithm (UAX #9). Brackets are not mirrored: poppler and
 * pdf.js take characters as they are, PDFium alone mirrors them.
 */
export const visualOrder = (text: string): readonly string[] => {
  const characters = [...text];
  if (!RIGHT_TO_LEFT.test(text)) return characters;
  const firstLetter = characters.find((character) => !DIGIT.test(character) && directionOf(character) !== undefined);
  const base = (firstLetter === undefined ? undefined : directionOf(firstLetter)) ?? 'right';
  const runs = runsOf(characters, base).map((run) =>
    run.direction === 'left' ? run.characters.toReversed() : run.characters,
  );
  return (base === 'left' ? runs.toReversed() : runs).flat();
};

/**
 * A word as it can be written into a PDF: without controls and marks of direction, halves of surrogate pairs replaced,
 * white space as single blanks. Empty if nothing is left.
 */
export const printable = (text: string): string =>
  text.toWellFormed().replace(/\s+/gu, ' ').replace(UNPRINTABLE, '').replaceAll('\u00AD', '-').trim();

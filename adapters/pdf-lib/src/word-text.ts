// Control characters, line separators, surrogates and directional formatting characters. PDF readers drop or
// misinterpret them.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;
const DIGIT = /\p{Nd}/u;
const MARK = /\p{M}/u;
const LETTER = /\p{L}/u;

type Direction = 'left' | 'right'; // the direction in which the text runs

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
 * Splits characters into runs of one direction. A character without a direction gets the direction of the letters
 * around it. If these differ, it joins the left-to-right run, because PDF readers end a run only at a letter of the
 * other direction.
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
 * The characters of a word in visual order, from left to right. PDF readers compute the logical order from it. This is
 * a simple case of the Unicode bidirectional algorithm (UAX #9). It does not mirror brackets: PDFium would mirror them
 * back, but poppler and pdf.js would not.
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
 * The printable text of a word: without control characters and directional formatting characters, with one blank for
 * each white space, and with lone surrogates replaced. It may be empty.
 */
export const printable = (text: string): string =>
  text.toWellFormed().replace(/\s+/gu, ' ').replace(UNPRINTABLE, '').replaceAll('\u00AD', '-').trim();

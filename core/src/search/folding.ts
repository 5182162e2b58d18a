// Text layers of PDFs contain radicals (symbols) instead of ideographs; NFKD maps them to ideographs.
const TOKEN_CHARACTER = /^[\p{L}\p{N}\p{M}\u2E9F\u2EF3\u2F00-\u2FD5]$/u;
// Soft hyphen, zero-width (non-)joiner, word joiner, byte order mark: they occur within words and are ignored.
const JOINER = /^[\u200D\u00AD\u200C\u2060\uFEFF]$/;
// Accents, points and harakat, but not kana voicing and the marks of other scripts, which are vowels. Also tatweel,
// joiners, and invisible letters and marks (fillers, variation selectors).
const DIACRITICS =
  /[[[\p{M}&&[\p{sc=Inherited}\p{sc=Common}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}]]--[\u3099\u309A]]\u200D\u0640\u00AD\u200C\u2060\uFEFF[\p{Default_Ignorable_Code_Point}&&[\p{L}\p{M}]]]/gv;
// Code points that NFC may compose with the preceding one: marks, and the vowels and finals of Hangul (and of Kirat Rai).
const JOINS_BEFORE = /^[\p{M}\u1160-\u11FF\uD7B0-\uD7FB\u{16D67}]/u;
const NUMBER = /^\p{N}/u;
const UNDECOMPOSED_LETTERS = /[ßςøłđħŧæœþð]/g;
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ς: 'σ',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
};
// Letters and numbers of scripts without spaces between words, and of Hangul.
const UNSPACED = String.raw`[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]]`;
const ALONE = new RegExp(`^${UNSPACED}`, 'v');
const PIECES = new RegExp(String.raw`${UNSPACED}\p{M}*|[[\p{L}\p{N}\p{M}]--${UNSPACED}]+|[^\p{L}\p{N}\p{M}]+`, 'gv');
const SEPARATOR = /^[^\p{L}\p{N}\p{M}]/u;

/** The kinds of characters when a text is divided into words. */
export const SEPARATES = 1; // ends a word
export const IGNORED = 2; // has no effect, also within a word
export const EXTENDS = 3; // belongs to the character before it
export const IN_WORD = 4; // its folding is part of a word
export const IS_TOKEN = 5; // its folding is a token of its own
export const HAS_SEVERAL_PIECES = 6; // its folding has several pieces

// The folding of a character with its marks: without case, diacritics and variants of writing, in NFC.
const fold = (character: string): string =>
  character
    .normalize('NFKD')
    .replace(DIACRITICS, '')
    .toUpperCase() // upper case first, because some letters have several lower-case forms
    .toLowerCase()
    .replace(UNDECOMPOSED_LETTERS, (letter) => REPLACEMENTS[letter] ?? letter)
    .normalize('NFC');

/** A piece of a folding: part of a word, a token of its own, or a separator. */
export interface Piece {
  readonly text: string;
  readonly kind: typeof IN_WORD | typeof IS_TOKEN | typeof SEPARATES;
}

const piecesOf = (character: string): readonly Piece[] => {
  const pieces = Array.from(fold(character).matchAll(PIECES), ([text]): Piece => ({
    text,
    kind: SEPARATOR.test(text) ? SEPARATES : ALONE.test(text) ? IS_TOKEN : IN_WORD,
  }));
  const border: Piece = { text: ' ', kind: SEPARATES };
  // Without separators around it, the fraction of 1½ would give the words 11 and 2.
  return NUMBER.test(character) && pieces.some(({ kind }) => kind === SEPARATES) ? [border, ...pieces, border] : pieces;
};

const kindOf = (codePoint: number): number => {
  const character = String.fromCodePoint(codePoint);
  if (JOINER.test(character)) return IGNORED;
  if (!TOKEN_CHARACTER.test(character)) return SEPARATES;
  const [first, second] = piecesOf(character);
  if (first === undefined) return IGNORED;
  if (JOINS_BEFORE.test(character.normalize('NFKD'))) return EXTENDS;
  return second === undefined && first.kind !== SEPARATES ? first.kind : HAS_SEVERAL_PIECES;
};

// Caches, because a lookup is much faster than a test of Unicode properties.
const kinds = new Uint8Array(0x11_0000);
const foldings = new Map<number, string>();
const pieces = new Map<string, readonly Piece[]>();
const MAX_KEPT = 20_000; // more than any text uses

/** The kind of the character: one of the constants above. A lone surrogate separates. */
export const characterKind = (codePoint: number): number => {
  let kind = kinds[codePoint] ?? SEPARATES;
  if (kind === 0) {
    kind = kindOf(codePoint);
    kinds[codePoint] = kind;
  }
  return kind;
};

/** The folding of one character: without case, diacritics and variants of writing, in NFC. */
export const foldedCharacter = (codePoint: number): string => {
  let folded = foldings.get(codePoint);
  if (folded === undefined) {
    folded = fold(String.fromCodePoint(codePoint));
    foldings.set(codePoint, folded);
  }
  return folded;
};

/** The pieces of the folding of a character with its marks, in order. */
export const foldedPieces = (character: string): readonly Piece[] => {
  let folded = pieces.get(character);
  if (folded === undefined) {
    if (pieces.size >= MAX_KEPT) pieces.clear();
    folded = piecesOf(character);
    pieces.set(character, folded);
  }
  return folded;
};

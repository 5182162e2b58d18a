const TOKEN_CHARACTER = /^[\p{L}\p{N}\p{M}]$/u;
// Soft hyphen, zero-width (non-)joiner, word joiner, byte order mark: they stand in a word and are no part of it.
const JOINER = /^[\u200D\u00AD\u200C\u2060\uFEFF]$/;
// Accents, points and harakat; never kana voicing, nor the marks of other scripts, which are vowels. Besides tatweel, and
// letters and marks that are not seen (fillers, variation selectors), and joiners.
const DIACRITICS =
  /[[[\p{M}&&[\p{sc=Inherited}\p{sc=Common}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}]]--[\u3099\u309A]]\u0640\p{Default_Ignorable_Code_Point}]/gv;
// What NFC may join to what stands before it: marks, and the vowels and finals of Hangul (and of Kirat Rai).
const JOINS_BEFORE = /^[\p{M}\u1160-\u11FF\uD7B0-\uD7FB\u{16D67}]/u;
const LETTERS_OF_THEIR_OWN = /[ßςøłđħŧæœþð]/g;
const INSTEAD: Readonly<Record<string, string>> = {
  ß: 'ss', ς: 'σ', ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd',
};
// Letters and numbers of scripts that put no spaces between words, and of Hangul.
const UNSPACED = String.raw`[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]]`;
const ALONE = new RegExp(`^${UNSPACED}`, 'v');
const PIECES = new RegExp(String.raw`${UNSPACED}\p{M}*|[[\p{L}\p{N}\p{M}]--${UNSPACED}]+`, 'gv');

/** What a character does where words are told apart. */
export const SEPARATES = 1;
export const VANISHES = 2; // between characters of a word it is as if it were not there
export const EXTENDS = 3; // belongs to the character before it
export const IN_WORD = 4; // its folding is a part of a word
export const IS_TOKEN = 5; // its folding is a token of its own
export const FALLS_APART = 6; // its folding is to be taken in pieces

/** A character with its marks, folded: without case, diacritics and ways of writing, in NFC. */
export const fold = (character: string): string =>
  character
    .normalize('NFKD')
    .replace(DIACRITICS, '')
    .toUpperCase() // upper case first: it is what unites letters that have several lower cases
    .toLowerCase()
    .replace(LETTERS_OF_THEIR_OWN, (letter) => INSTEAD[letter] ?? letter)
    .normalize('NFC');

/** What a character falls into by folding. */
export interface Folded {
  readonly pieces: readonly { readonly piece: string; readonly isAlone: boolean }[]; // alone: a token that nothing is joined to
  readonly isWhole: boolean; // nothing that separates is before, between or after the pieces
}

const piecesOf = (folded: string): Folded => {
  const pieces = Array.from(folded.matchAll(PIECES), ([piece]) => ({ piece, isAlone: ALONE.test(piece) }));
  return { pieces, isWhole: pieces.reduce((length, { piece }) => length + piece.length, 0) === folded.length };
};

const kindOf = (codePoint: number): number => {
  const character = String.fromCodePoint(codePoint);
  if (JOINER.test(character)) return VANISHES;
  if (!TOKEN_CHARACTER.test(character)) return SEPARATES;
  const folded = fold(character);
  if (folded === '') return VANISHES;
  if (JOINS_BEFORE.test(character.normalize('NFKD'))) return EXTENDS;
  const { pieces, isWhole } = piecesOf(folded);
  if (!isWhole || pieces.length > 1) return FALLS_APART;
  return pieces[0]?.isAlone === true ? IS_TOKEN : IN_WORD;
};

// Filled as characters are met, as looking a character up is much faster than asking its properties.
const kinds = new Uint8Array(0x11_0000);
const foldings = new Map<number, string>();
const pieces = new Map<string, Folded>();
const MAX_KEPT = 20_000; // more characters with marks are in use nowhere

/** What the character does: one of the constants above. A lone surrogate separates. */
export const characterKind = (codePoint: number): number => {
  let kind = kinds[codePoint] ?? SEPARATES;
  if (kind === 0) {
    kind = kindOf(codePoint);
    kinds[codePoint] = kind;
  }
  return kind;
};

/** The {@link fold}ing of one character. */
export const foldedCharacter = (codePoint: number): string => {
  let folded = foldings.get(codePoint);
  if (folded === undefined) {
    folded = fold(String.fromCodePoint(codePoint));
    foldings.set(codePoint, folded);
  }
  return folded;
};

/** What a character with its marks falls into by folding. */
export const foldedPieces = (character: string): Folded => {
  let folded = pieces.get(character);
  if (folded === undefined) {
    if (pieces.size >= MAX_KEPT) pieces.clear();
    folded = piecesOf(fold(character));
    pieces.set(character, folded);
  }
  return folded;
};

import {
  characterKind,
  EXTENDS,
  foldedCharacter,
  foldedPieces,
  IN_WORD,
  IS_TOKEN,
  SEPARATES,
  IGNORED,
} from './folding.ts';

/** Longer tokens are cut to this number of characters (code points), in entries and queries alike. */
export const MAX_TOKEN_CHARACTERS = 64;
// No real letter has more marks (Stream-Safe Text Format, UAX #15). The limit bounds the cost of normalization.
const MAX_MARKS = 30;

/**
 * A token and its position: UTF-16 offsets in the text, `end` exclusive. All tokens of one character (½) have the same
 * position.
 */
export interface PlacedToken {
  readonly token: string;
  readonly start: number;
  readonly end: number;
}

// 1: digit or lower case letter, 2: upper case letter, of ASCII
const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[a-z0-9]/.test(String.fromCharCode(unit)) ? 1 : /[A-Z]/.test(String.fromCharCode(unit)) ? 2 : 0,
);

const firstCharacters = (token: string): string => {
  if (token.length <= MAX_TOKEN_CHARACTERS) return token;
  const characters = Array.from(token.slice(0, 2 * MAX_TOKEN_CHARACTERS));
  return characters.length <= MAX_TOKEN_CHARACTERS ? token : characters.slice(0, MAX_TOKEN_CHARACTERS).join('');
};

class TokenReader {
  token = '';
  start = 0;
  end = 0;
  readonly #text: string;
  readonly #stop: number;
  #at: number;
  #word = ''; // the token that is being read
  #wordStart = 0;
  #wordEnd = 0;
  #waiting: PlacedToken[] = []; // read, but not returned yet

  constructor(text: string, from: number, to: number) {
    this.#text = text;
    this.#at = from;
    this.#stop = Math.min(to, text.length);
  }

  /** Moves to the next token; `false` if there is none. */
  next(): boolean {
    while (this.#waiting.length === 0) {
      if (this.#at >= this.#stop) {
        this.#endWord();
        if (this.#waiting.length === 0) return false;
      } else {
        if (this.#word === '' && (this.#readAsciiWord() || this.#readSingleToken())) return true;
        if (this.#at < this.#stop) this.#readCharacter();
      }
    }
    const next = this.#waiting.shift();
    if (next === undefined) return false;
    ({ token: this.token, start: this.start, end: this.end } = next);
    return true;
  }

  // Skips ASCII separators, then reads a word that is ASCII only. Leaves any other word unread.
  #readAsciiWord(): boolean {
    const text = this.#text;
    let start = this.#at;
    let unit = 0;
    while (start < this.#stop && (unit = text.charCodeAt(start)) < 0x80 && ASCII_WORD[unit] === 0) start++;
    this.#at = start;
    let end = start;
    let seen = 0;
    let kind: number | undefined = 0;
    while (end < this.#stop && (unit = text.charCodeAt(end)) < 0x80 && (kind = ASCII_WORD[unit]) !== 0) {
      seen |= kind ?? 0;
      end++;
    }
    if (end === start || (end < this.#stop && unit >= 0x80 && characterKind(text.codePointAt(end) ?? 0) !== SEPARATES))
      return false;
    const token = text.slice(start, Math.min(end, start + MAX_TOKEN_CHARACTERS));
    this.token = seen === 1 ? token : token.toLowerCase();
    this.start = start;
    this.end = end;
    this.#at = end;
    return true;
  }

  // Reads a character that has no marks and is a whole token. Leaves any other character unread. Without this fast
  // path, Chinese texts take twice the time.
  #readSingleToken(): boolean {
    if (this.#at >= this.#stop) return false;
    const codePoint = this.#text.codePointAt(this.#at) ?? 0;
    if (characterKind(codePoint) !== IS_TOKEN) return false;
    const end = this.#at + (codePoint > 0xffff ? 2 : 1);
    const next = end < this.#stop ? characterKind(this.#text.codePointAt(end) ?? 0) : SEPARATES;
    if (next === EXTENDS || next === IGNORED) return false;
    this.token = foldedCharacter(codePoint);
    this.start = this.#at;
    this.end = end;
    this.#at = end;
    return true;
  }

  // Reads one character with its marks.
  #readCharacter(): void {
    const start = this.#at;
    const codePoint = this.#text.codePointAt(start) ?? 0;
    const kind = characterKind(codePoint);
    this.#at += codePoint > 0xffff ? 2 : 1;
    if (kind === SEPARATES) {
      this.#endWord();
      return;
    }
    if (kind === IGNORED) return;
    const marks = this.#readMarks();
    if (marks === '' && kind === IN_WORD) this.#append(foldedCharacter(codePoint), start);
    else if (marks === '' && kind === IS_TOKEN) {
      this.#endWord();
      this.#waiting.push({ token: foldedCharacter(codePoint), start, end: this.#at });
    } else this.#takeApart(String.fromCodePoint(codePoint) + marks, start);
  }

  // The marks of a character, without ignored characters.
  #readMarks(): string {
    let marks = '';
    let count = 0;
    while (this.#at < this.#stop) {
      const codePoint = this.#text.codePointAt(this.#at) ?? 0;
      const kind = characterKind(codePoint);
      if (kind === EXTENDS && count < MAX_MARKS) {
        marks += String.fromCodePoint(codePoint);
        count++;
      } else if (kind !== IGNORED) break;
      this.#at += codePoint > 0xffff ? 2 : 1;
    }
    return marks;
  }

  #takeApart(character: string, start: number): void {
    for (const { text, kind } of foldedPieces(character)) {
      if (kind !== IN_WORD) this.#endWord();
      if (kind !== SEPARATES) this.#append(text, start);
      if (kind === IS_TOKEN) this.#endWord();
    }
  }

  #append(folded: string, start: number): void {
    if (this.#word === '') this.#wordStart = start;
    if (this.#word.length <= 2 * MAX_TOKEN_CHARACTERS) this.#word += folded;
    this.#wordEnd = this.#at;
  }

  #endWord(): void {
    if (this.#word === '') return;
    this.#waiting.push({ token: firstCharacters(this.#word), start: this.#wordStart, end: this.#wordEnd });
    this.#word = '';
  }
}

/**
 * The tokens of a text for the search, in order. The rules are the same for entries and queries, and in every adapter:
 *
 * - A token consists of letters, numbers and marks (Unicode categories L, N, M, and Kangxi radicals). Everything else
 *   separates, also NUL, lone surrogates, emoji and the zero-width space. Soft hyphens, zero-width joiners and
 *   non-joiners, word joiners and byte order marks do not separate and are left out. A hyphen at a line end separates.
 * - Case, diacritics and variants of writing do not matter: NFKD (full width, ligatures, superscripts), without
 *   accents, Hebrew and Syriac points, Arabic harakat and tatweel; lower case; ß is ss, ς σ, ı i, ø o, ł l, đ and ð d,
 *   ħ h, ŧ t, æ ae, œ oe, þ th; then NFC. Kana voicing and the vowel marks of other scripts (Devanagari, Thai) are
 *   kept. A character that becomes several words (½, ﷺ) is several tokens, and it separates from an adjacent number (1½
 *   is 1, 1, 2).
 * - In scripts without spaces (Han, kana, Thai, Lao, Khmer, Myanmar, Tibetan) and in Hangul each character with its
 *   marks is a token, so that each part of a run is found as a phrase.
 * - A token is cut to {@link MAX_TOKEN_CHARACTERS}.
 *
 * No token is empty, and its ASCII characters are `a-z0-9`. Never throws; the time is linear in the length.
 */
export const searchTokens = (text: string): string[] => {
  const reader = new TokenReader(text, 0, text.length);
  const tokens: string[] = [];
  while (reader.next()) tokens.push(reader.token);
  return tokens;
};

/**
 * The tokens of {@link searchTokens} with their positions, read lazily. `from` and `to` select a part of the text;
 * words that cross its ends are cut.
 */
export function* placedTokens(
  text: string,
  from = 0,
  to: number = text.length,
): Generator<PlacedToken, void, undefined> {
  const reader = new TokenReader(text, from, to);
  while (reader.next()) yield { token: reader.token, start: reader.start, end: reader.end };
}

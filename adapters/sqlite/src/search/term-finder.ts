import type { SearchTerm } from '@palimpsest/core';

/**
 * Finds a term in words between blanks, in linear time for any text (Knuth, Morris and Pratt, "Fast pattern matching in
 * strings", 1977). A simple comparison at each position would need a time proportional to the product of both
 * lengths if a phrase and a text repeat the same word.
 */
export class TermFinder {
  readonly #wanted: Uint16Array;
  readonly #borders: Int32Array; // of each prefix of `wanted`: the length of its longest proper prefix that is also its suffix

  constructor({ tokens, isPrefix }: SearchTerm) {
    const wanted = ` ${tokens.join(' ')}${isPrefix ? '' : ' '}`;
    this.#wanted = Uint16Array.from({ length: wanted.length }, (_, i) => wanted.charCodeAt(i));
    this.#borders = new Int32Array(wanted.length);
    for (let i = 1, matched = 0; i < wanted.length; i++) {
      matched = this.#matchedWith(wanted.charCodeAt(i), matched);
      this.#borders[i] = matched;
    }
  }

  /** Whether the term occurs in `words`. */
  isIn(words: string): boolean {
    return this.countIn(words, 1) === 1;
  }

  /** The number of occurrences of the term in `words`, at most `most`. */
  countIn(words: string, most = Number.POSITIVE_INFINITY): number {
    const { length } = this.#wanted;
    let count = 0;
    for (let i = 0, matched = 0; i < words.length && count < most; i++) {
      matched = this.#matchedWith(words.charCodeAt(i), matched);
      if (matched < length) continue;
      count++;
      matched = this.#borders[length - 1] ?? 0;
    }
    return count;
  }

  // The length of the matched part of `wanted` after one more character.
  #matchedWith(unit: number, before: number): number {
    let matched = before;
    while (matched > 0 && this.#wanted[matched] !== unit) matched = this.#borders[matched - 1] ?? 0;
    return this.#wanted[matched] === unit ? matched + 1 : 0;
  }
}

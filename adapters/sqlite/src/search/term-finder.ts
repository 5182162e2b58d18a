import type { SearchTerm } from '@palimpsest/core';

/**
 * Finds a term in the `plain` words of texts in a time that is linear in their length, whatever they are (Knuth, Morris and
 * Pratt, "Fast pattern matching in strings", 1977): a phrase of one word many times, in a text of that word alone, would
 * take any plainer search the product of both lengths.
 */
export class TermFinder {
  readonly #wanted: Uint16Array;
  readonly #borders: Int32Array; // of each beginning of `wanted`: the length of the longest shorter one that it ends with

  constructor({ tokens, isPrefix }: SearchTerm) {
    const wanted = ` ${tokens.join(' ')}${isPrefix ? '' : ' '}`;
    this.#wanted = Uint16Array.from({ length: wanted.length }, (_, i) => wanted.charCodeAt(i));
    this.#borders = new Int32Array(wanted.length);
    for (let i = 1, matched = 0; i < wanted.length; i++) {
      matched = this.#matchedWith(wanted.charCodeAt(i), matched);
      this.#borders[i] = matched;
    }
  }

  /** Whether the term occurs in `plain`. */
  isIn(plain: string): boolean {
    return this.countIn(plain, 1) === 1;
  }

  /** How often the term occurs in `plain`; at most `most`. */
  countIn(plain: string, most = Number.POSITIVE_INFINITY): number {
    const { length } = this.#wanted;
    let count = 0;
    for (let i = 0, matched = 0; i < plain.length && count < most; i++) {
      matched = this.#matchedWith(plain.charCodeAt(i), matched);
      if (matched < length) continue;
      count++;
      matched = this.#borders[length - 1] ?? 0;
    }
    return count;
  }

  // How much of `wanted` is matched after one more character.
  #matchedWith(unit: number, before: number): number {
    let matched = before;
    while (matched > 0 && this.#wanted[matched] !== unit) matched = this.#borders[matched - 1] ?? 0;
    return this.#wanted[matched] === unit ? matched + 1 : 0;
  }
}

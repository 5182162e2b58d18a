import { setImmediate as nextTurn } from 'node:timers/promises';
import { placedTokens, type SearchTerm } from '@palimpsest/core';
import { termsOfToken } from './index-terms.ts';

/** How large segments may become. */
export interface SegmentLimits {
  readonly wordsLength: number; // of `words`, in UTF-16 code units; a segment that has so much is full
  readonly termsLength: number; // likewise of `terms`
  readonly phraseTokens: number; // fewer than any full segment has, so that no phrase lies across more than two
}

// A segment of so much has more than 3000 tokens, far fewer index terms than the 100,000 that MongoDB takes of one record
// (indexMaxNumGeneratedKeysPerDocument), and far fewer bytes than the 16 MiB of a record.
export const SEGMENT_LIMITS: SegmentLimits = { wordsLength: 512 * 1024, termsLength: 384 * 1024, phraseTokens: 3000 };

// Other work is let in between after so many.
const TOKENS_IN_A_TURN = 5000;
const UNITS_IN_A_TURN = 64 * 1024;

/** A part of a text: so much of it that one record can hold it. */
export interface Segment {
  readonly words: string; // its tokens, each with a blank before and after it
  readonly after: string; // the tokens that follow, as many as a phrase may have, likewise
  readonly terms: string; // what a text index is to have for its tokens, each once, between blanks
}

/** Tokens as they stand in the words of a segment. With two blanks between them no two share one. */
export const wordsOf = (tokens: readonly string[]): string => tokens.map((token) => ` ${token} `).join('');

/** What words have where `term` occurs. */
export const needleOf = ({ tokens, isPrefix }: SearchTerm): string =>
  isPrefix ? wordsOf(tokens).slice(0, -1) : wordsOf(tokens);

class OpenSegment {
  readonly #limits: SegmentLimits;
  readonly #tokens = new Set<string>();
  readonly #terms = new Set<string>();
  #termsLength = 0;
  #words = '';
  #after = '';
  #afterCount = 0;

  constructor(limits: SegmentLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#words === '';
  }

  get isFull(): boolean {
    return this.#words.length >= this.#limits.wordsLength || this.#termsLength >= this.#limits.termsLength;
  }

  add(token: string): void {
    this.#words += ` ${token} `;
    if (this.#tokens.has(token)) return;
    this.#tokens.add(token);
    for (const term of termsOfToken(token)) {
      if (this.#terms.has(term)) continue;
      this.#terms.add(term);
      this.#termsLength += term.length + 1;
    }
  }

  addAfter(token: string): void {
    if (this.#afterCount >= this.#limits.phraseTokens) return;
    this.#after += ` ${token} `;
    this.#afterCount++;
  }

  close(): Segment {
    return { words: this.#words, after: this.#after, terms: [...this.#terms].join(' ') };
  }
}

/** The segments of a text, in order; none if it has no token. Lets everything else go on meanwhile. */
export async function* segmentsOf(
  text: string,
  limits: SegmentLimits = SEGMENT_LIMITS,
): AsyncGenerator<Segment, void, undefined> {
  let before: OpenSegment | undefined; // full, while what follows it is read
  let open = new OpenSegment(limits);
  let turnAt = 0;
  let tokens = 0;
  for (const { token, end } of placedTokens(text)) {
    if (open.isFull) {
      if (before !== undefined) yield before.close();
      before = open;
      open = new OpenSegment(limits);
    }
    before?.addAfter(token);
    open.add(token);
    if (++tokens < TOKENS_IN_A_TURN && end - turnAt < UNITS_IN_A_TURN) continue;
    tokens = 0;
    turnAt = end;
    await nextTurn();
  }
  if (before !== undefined) yield before.close();
  if (!open.isEmpty) yield open.close();
}

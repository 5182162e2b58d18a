import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { placedTokens, type SearchTerm } from '@palimpsest/core';
import { termsOfToken } from './index-terms.ts';

/** The limits of a segment. */
export interface SegmentLimits {
  readonly wordsLength: number; // a segment with so many UTF-16 code units in `words` is full
  readonly termsLength: number; // a segment with so many UTF-16 code units in `terms` is full
  readonly phraseTokens: number; // the longest phrase; less than a full segment, so that no phrase spans three segments
}

// A full segment has more than 3000 tokens, far fewer index terms than MongoDB's limit of 100,000 per document
// (indexMaxNumGeneratedKeysPerDocument), and far fewer bytes than its limit of 16 MiB.
export const SEGMENT_LIMITS: SegmentLimits = { wordsLength: 512 * 1024, termsLength: 384 * 1024, phraseTokens: 3000 };

// After so many tokens or UTF-16 code units, the loop yields to the event loop.
const TOKENS_PER_YIELD = 5000;
const UNITS_PER_YIELD = 64 * 1024;

/** A part of a text that fits in one MongoDB document. */
export interface Segment {
  readonly words: string; // the tokens, each with a blank before and after it
  readonly after: string; // the tokens of the next segments, up to the length of a phrase, in the same form
  readonly terms: string; // the distinct index terms of the tokens, separated by blanks
}

/**
 * Tokens in the form of the words of a segment. Two blanks separate them, so that each token has its own two blanks.
 */
export const wordsOf = (tokens: readonly string[]): string => tokens.map((token) => ` ${token} `).join('');

/** The text to search for in the words of a segment. */
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

/** The segments of a text, in order; none for a text without tokens. Yields to the event loop regularly. */
export async function* segmentsOf(
  text: string,
  limits: SegmentLimits = SEGMENT_LIMITS,
): AsyncGenerator<Segment, void, undefined> {
  let previous: OpenSegment | undefined; // full, and still collects the tokens after it
  let open = new OpenSegment(limits);
  let yieldedAt = 0;
  let tokens = 0; // since the last yield
  for (const { token, end } of placedTokens(text)) {
    if (open.isFull) {
      if (previous !== undefined) yield previous.close();
      previous = open;
      open = new OpenSegment(limits);
    }
    previous?.addAfter(token);
    open.add(token);
    if (++tokens < TOKENS_PER_YIELD && end - yieldedAt < UNITS_PER_YIELD) continue;
    tokens = 0;
    yieldedAt = end;
    await yieldToEventLoop();
  }
  if (previous !== undefined) yield previous.close();
  if (!open.isEmpty) yield open.close();
}

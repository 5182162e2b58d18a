import { characterKind, EXTENDS, IGNORED } from './folding.ts';
import { occurrencesOf } from './match.ts';
import type { SearchTerm } from './query.ts';
import { placedTokens, type PlacedToken } from './tokens.ts';

/** An occurrence of a term: UTF-16 offsets in the text, `end` exclusive. */
export interface PlacedMatch {
  readonly term: SearchTerm;
  readonly start: number;
  readonly end: number;
}

/** A part of a text: UTF-16 offsets, `end` exclusive. */
export interface Passage {
  readonly start: number;
  readonly end: number;
}

interface Window extends Passage {
  readonly count: number; // of different terms
}

/**
 * A snippet shows a match only among the first words of a text: about 3 million characters of English, or 500,000 of
 * Chinese. Reading them takes, measured on two busy cores, up to 0.45 s for a few terms and 0.7 s for 32.
 */
export const MAX_WORDS_READ = 500_000;
const WORDS_AT_ONCE = 1024;

/** Whether a character starts at `at`, not an extension of the preceding character. */
export const isCharacterStart = (text: string, at: number): boolean => {
  if (at <= 0 || at >= text.length) return true;
  const unit = text.charCodeAt(at);
  if ((unit & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) return false;
  const kind = characterKind(text.codePointAt(at) ?? 0);
  return kind !== EXTENDS && kind !== IGNORED && text.charCodeAt(at - 1) !== 0x200d;
};

/** The occurrences of the terms among the tokens of a text, by their start. */
export const matchesAmong = (placed: readonly PlacedToken[], terms: readonly SearchTerm[]): readonly PlacedMatch[] => {
  const tokens = placed.map(({ token }) => token);
  const found: PlacedMatch[] = [];
  for (const term of terms) {
    for (const index of occurrencesOf(term, tokens)) {
      const first = placed[index];
      const last = placed[index + term.tokens.length - 1];
      if (first !== undefined && last !== undefined) found.push({ term, start: first.start, end: last.end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
};

const bestWindow = (found: readonly PlacedMatch[], span: number): Window => {
  const shown = new Map<SearchTerm, number>();
  let best = { start: 0, end: 0, count: 0 };
  let left = 0;
  for (const { term, start, end } of found) {
    shown.set(term, (shown.get(term) ?? 0) + 1);
    for (
      let first = found[left];
      first !== undefined && first.start < Math.min(end - span, start);
      first = found[++left]
    ) {
      const more = (shown.get(first.term) ?? 1) - 1;
      if (more === 0) shown.delete(first.term);
      else shown.set(first.term, more);
    }
    if (shown.size > best.count) best = { start: found[left]?.start ?? start, end, count: shown.size };
  }
  return best;
};

/**
 * The earliest passage of up to `span` units that contains the most different terms, among the first
 * {@link MAX_WORDS_READ} words of the text. It starts with the first match and ends with the last one; only a single
 * long match makes it longer than `span`. `undefined` without a match. Yields after every thousand words, so that the
 * caller can let other work run.
 */
export function* bestPassage(
  text: string,
  terms: readonly SearchTerm[],
  span: number,
): Generator<undefined, Passage | undefined> {
  // A match or a passage may start in one part of the words and end in the next.
  const overlap = terms.reduce((length, { tokens }) => Math.max(length, tokens.length), span);
  let best: Window = { start: 0, end: 0, count: 0 };
  let part: PlacedToken[] = [];
  let read = 0; // words and matches
  const readPart = (): void => {
    const found = matchesAmong(part, terms);
    const window = bestWindow(found, span);
    if (window.count > best.count) best = window;
    read += found.length; // each match takes about as long as a word
    part = part.slice(-overlap);
  };
  for (const token of placedTokens(text)) {
    if (++read > MAX_WORDS_READ) break;
    if (part.push(token) < WORDS_AT_ONCE + overlap) continue;
    readPart();
    if (best.count === terms.length) return best;
    yield;
  }
  readPart();
  return best.count === 0 ? undefined : best;
}

import type { Effort } from './effort.ts';
import { characterKind, EXTENDS, VANISHES } from './folding.ts';
import { occurrencesOf } from './match.ts';
import { possibleTerms, termsByUnit } from './possible-terms.ts';
import type { SearchTerm } from './query.ts';
import { tokenBorder } from './token-border.ts';
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

const REGION = 4096; // read at once
const LONGEST_REGION = 4 * REGION; // of a region without a border; the rest up to the border is skipped
const ENOUGH = 500_000; // characters that are read to improve on the best passage so far
// Measured steps of effort: about the maximal cost of a character, a token or a match.
const TO_PASS = 3;
const TO_READ = 20;
const TO_TAKE = 90; // a token that was read
const TO_COMPARE = 8; // a token with a term
const TO_KEEP = 150; // a match, with sorting

/** Whether a character starts at `at`, not an extension of the preceding character. */
export const isCharacterStart = (text: string, at: number): boolean => {
  if (at <= 0 || at >= text.length) return true;
  const unit = text.charCodeAt(at);
  if ((unit & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) return false;
  const kind = characterKind(text.codePointAt(at) ?? 0);
  return kind !== EXTENDS && kind !== VANISHES && text.charCodeAt(at - 1) !== 0x200d;
};

const longestOf = (terms: readonly SearchTerm[]): number =>
  terms.reduce((length, { tokens }) => Math.max(length, tokens.length), 1);

const matchesAmong = (placed: readonly PlacedToken[], terms: readonly SearchTerm[], effort: Effort): PlacedMatch[] => {
  const tokens = placed.map(({ token }) => token);
  const found: PlacedMatch[] = [];
  for (const term of terms) {
    if (!effort.spend((tokens.length + term.tokens.length) * TO_COMPARE)) break;
    for (const index of occurrencesOf(term, tokens)) {
      const first = placed[index];
      const last = placed[index + term.tokens.length - 1];
      if (first !== undefined && last !== undefined) found.push({ term, start: first.start, end: last.end });
      if (!effort.spend(TO_KEEP)) break;
    }
  }
  return found.sort((a, b) => a.start - b.start);
};

/**
 * The occurrences of the terms in `text` that start from `from` (a border) to before `to`, in order, as many as the
 * effort allows. They may end up to {@link REGION} after `to`. A longer word is cut.
 */
export const matchesIn = (
  text: string,
  terms: readonly SearchTerm[],
  from: number,
  to: number,
  effort: Effort,
): PlacedMatch[] => {
  const longest = longestOf(terms);
  const placed: PlacedToken[] = [];
  const border = tokenBorder(text, to, to + REGION);
  if (!effort.spend((border - from) * TO_READ)) return [];
  for (const token of placedTokens(text, from, border)) placed.push(token);
  if (placed.length > 0 && longest > 1) {
    const most = placed.length + longest;
    for (const token of placedTokens(text, border, tokenBorder(text, to + REGION, to + 2 * REGION))) {
      if (placed.push(token) >= most) break;
    }
    effort.spend(Math.max(0, (placed.at(-1)?.end ?? 0) - border) * TO_READ);
  }
  effort.spend(placed.length * TO_TAKE);
  return matchesAmong(placed, terms, effort).filter(({ start }) => start < to);
};

const bestWindow = (found: readonly PlacedMatch[], span: number): Passage & { readonly count: number } => {
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

// The regions of a text, as many as the effort allows. No token crosses their borders.
function* regionsOf(text: string, effort: Effort): Generator<Passage, void, undefined> {
  for (let start = 0; start < text.length;) {
    const end = tokenBorder(text, start + REGION, start + REGION + effort.left / TO_PASS);
    if (!effort.spend(Math.max(1, end - start - REGION) * TO_PASS)) return;
    yield { start, end };
    start = end;
  }
}

/**
 * The earliest passage of up to `span` units with the most different terms, from the start of the first to the end of
 * the last; longer only for a single long match. `undefined` if none was found. Regions that cannot contain a better
 * passage are skipped. The search ends after {@link ENOUGH} further characters without a better passage, or without
 * effort left. It may miss a phrase with thousands of separators between its words, and matches after {@link
 * LONGEST_REGION} without a border.
 */
export const bestPassage = (
  text: string,
  terms: readonly SearchTerm[],
  span: number,
  effort: Effort,
): Passage | undefined => {
  let best: Passage & { readonly count: number } = { start: 0, end: 0, count: 0 };
  let read = 0;
  const begins = termsByUnit(terms);
  for (const region of regionsOf(text, effort)) {
    const start = tokenBorder(text, region.start - span, region.start); // windows may start before the region
    const end = Math.min(region.end, region.start + LONGEST_REGION);
    const possible = possibleTerms(text, terms, begins, start, end, effort);
    if (possible.length > best.count) {
      const window = bestWindow(matchesIn(text, possible, start, end, effort), span);
      if (window.count > best.count) best = window;
      if (best.count > 0) read += end - start;
    }
    if (best.count === terms.length || read >= ENOUGH) break;
  }
  return best.count === 0 ? undefined : best;
};

/** Any passage with a term. It misses no match as long as effort is left. */
export const anyPassage = (
  text: string,
  terms: readonly SearchTerm[],
  span: number,
  effort: Effort,
): Passage | undefined => {
  const overlap = longestOf(terms) - 1; // a term may start in one part and end in the next
  let part: PlacedToken[] = [];
  const passage = (): Passage | undefined => {
    const window = bestWindow(matchesAmong(part, terms, effort), span);
    part = overlap === 0 ? [] : part.slice(-overlap);
    return window.count === 0 ? undefined : window;
  };
  for (const { start, end } of regionsOf(text, effort)) {
    if (!effort.spend((end - start) * TO_READ)) break;
    for (const token of placedTokens(text, start, end)) {
      if (!effort.spend(TO_TAKE)) break;
      if (part.push(token) <= REGION + overlap) continue;
      const found = passage();
      if (found !== undefined) return found;
    }
  }
  return passage();
};

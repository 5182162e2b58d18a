import type { Budget } from './budget.ts';
import { characterKind, EXTENDS, IGNORED } from './folding.ts';
import { occurrencesOf } from './match.ts';
import { possibleTerms, termsByUnit } from './possible-terms.ts';
import type { SearchTerm } from './query.ts';
import { tokenBoundary } from './token-boundary.ts';
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
const LONGEST_REGION = 4 * REGION; // if no token boundary follows; the rest up to the next boundary is skipped
const ENOUGH = 500_000; // characters that are read to improve on the best passage so far
// Measured costs in steps of the budget, about the maximum for a character, a token or a match.
const SKIP_COST = 3;
const READ_COST = 20;
const TOKEN_COST = 90; // for each token that was read
const COMPARE_COST = 8; // to compare a token with a term
const MATCH_COST = 150; // for each match, including sorting

/** Whether a character starts at `at`, not an extension of the preceding character. */
export const isCharacterStart = (text: string, at: number): boolean => {
  if (at <= 0 || at >= text.length) return true;
  const unit = text.charCodeAt(at);
  if ((unit & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) return false;
  const kind = characterKind(text.codePointAt(at) ?? 0);
  return kind !== EXTENDS && kind !== IGNORED && text.charCodeAt(at - 1) !== 0x200d;
};

const longestOf = (terms: readonly SearchTerm[]): number =>
  terms.reduce((length, { tokens }) => Math.max(length, tokens.length), 1);

const matchesAmong = (placed: readonly PlacedToken[], terms: readonly SearchTerm[], budget: Budget): PlacedMatch[] => {
  const tokens = placed.map(({ token }) => token);
  const found: PlacedMatch[] = [];
  for (const term of terms) {
    if (!budget.spend((tokens.length + term.tokens.length) * COMPARE_COST)) break;
    for (const index of occurrencesOf(term, tokens)) {
      const first = placed[index];
      const last = placed[index + term.tokens.length - 1];
      if (first !== undefined && last !== undefined) found.push({ term, start: first.start, end: last.end });
      if (!budget.spend(MATCH_COST)) break;
    }
  }
  return found.sort((a, b) => a.start - b.start);
};

/**
 * The occurrences of the terms in `text` whose start lies between `from` (a token boundary) and `to` (exclusive), in
 * order, as many as the budget allows. An occurrence may end up to {@link REGION} after `to`; a longer word is cut.
 */
export const matchesIn = (
  text: string,
  terms: readonly SearchTerm[],
  from: number,
  to: number,
  budget: Budget,
): PlacedMatch[] => {
  const longest = longestOf(terms);
  const placed: PlacedToken[] = [];
  const boundary = tokenBoundary(text, to, to + REGION);
  if (!budget.spend((boundary - from) * READ_COST)) return [];
  for (const token of placedTokens(text, from, boundary)) placed.push(token);
  if (placed.length > 0 && longest > 1) {
    const most = placed.length + longest;
    for (const token of placedTokens(text, boundary, tokenBoundary(text, to + REGION, to + 2 * REGION))) {
      if (placed.push(token) >= most) break;
    }
    budget.spend(Math.max(0, (placed.at(-1)?.end ?? 0) - boundary) * READ_COST);
  }
  budget.spend(placed.length * TOKEN_COST);
  return matchesAmong(placed, terms, budget).filter(({ start }) => start < to);
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

// Divides a text into regions at token boundaries, as many as the budget allows.
function* regionsOf(text: string, budget: Budget): Generator<Passage, void, undefined> {
  for (let start = 0; start < text.length;) {
    const end = tokenBoundary(text, start + REGION, start + REGION + budget.left / SKIP_COST);
    if (!budget.spend(Math.max(1, end - start - REGION) * SKIP_COST)) return;
    yield { start, end };
    start = end;
  }
}

/**
 * The earliest passage of up to `span` units that contains the most different terms. It starts with the first match and
 * ends with the last one; only a single long match makes it longer than `span`. `undefined` if no match was found.
 * Regions that cannot contain a better passage are skipped. The search ends when it has read {@link ENOUGH} further
 * characters without a better passage, or when the budget is used up. It may miss a phrase with thousands of separators
 * between its words, and matches after {@link LONGEST_REGION} without a token boundary.
 */
export const bestPassage = (
  text: string,
  terms: readonly SearchTerm[],
  span: number,
  budget: Budget,
): Passage | undefined => {
  let best: Passage & { readonly count: number } = { start: 0, end: 0, count: 0 };
  let read = 0;
  const begins = termsByUnit(terms);
  for (const region of regionsOf(text, budget)) {
    const start = tokenBoundary(text, region.start - span, region.start); // windows may start before the region
    const end = Math.min(region.end, region.start + LONGEST_REGION);
    const possible = possibleTerms(text, terms, begins, start, end, budget);
    if (possible.length > best.count) {
      const window = bestWindow(matchesIn(text, possible, start, end, budget), span);
      if (window.count > best.count) best = window;
      if (best.count > 0) read += end - start;
    }
    if (best.count === terms.length || read >= ENOUGH) break;
  }
  return best.count === 0 ? undefined : best;
};

/** Any passage with a term; unlike {@link bestPassage} it misses no match, unless the budget is used up. */
export const anyPassage = (
  text: string,
  terms: readonly SearchTerm[],
  span: number,
  budget: Budget,
): Passage | undefined => {
  const overlap = longestOf(terms) - 1; // a term may start in one part and end in the next
  let part: PlacedToken[] = [];
  const passage = (): Passage | undefined => {
    const window = bestWindow(matchesAmong(part, terms, budget), span);
    part = overlap === 0 ? [] : part.slice(-overlap);
    return window.count === 0 ? undefined : window;
  };
  for (const { start, end } of regionsOf(text, budget)) {
    if (!budget.spend((end - start) * READ_COST)) break;
    for (const token of placedTokens(text, start, end)) {
      if (!budget.spend(TOKEN_COST)) break;
      if (part.push(token) <= REGION + overlap) continue;
      const found = passage();
      if (found !== undefined) return found;
    }
  }
  return passage();
};

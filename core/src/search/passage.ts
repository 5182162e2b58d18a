import type { Effort } from './effort.ts';
import { characterKind, EXTENDS, VANISHES } from './folding.ts';
import { occurrencesOf } from './match.ts';
import { possibleTerms, termsByUnit } from './possible-terms.ts';
import type { SearchTerm } from './query.ts';
import { tokenBorder } from './token-border.ts';
import { placedTokens, type PlacedToken } from './tokens.ts';

/** Where a term occurs: UTF-16 offsets in the text, `end` exclusive. */
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
const LONGEST_REGION = 4 * REGION; // where no border is for so long, the rest up to it is passed over
const ENOUGH = 500_000; // characters that are read for a passage better than one that is there already
// Steps of effort, measured: what a character, a token or a match takes at the most, or nearly so.
const TO_PASS = 3;
const TO_READ = 20;
const TO_TAKE = 90; // a token that was read
const TO_COMPARE = 8; // a token with a term
const TO_KEEP = 150; // a match, and to put it in order

/** Whether a character begins at `at`, with nothing before it that it belongs to. */
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
 * Where the terms occur in `text`, of what begins in the part from `from` (a border) to before `to`, in order; as many as
 * there is effort for. They may end up to {@link REGION} after `to`. A word that goes on for longer than that is cut.
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

// The regions of a text, for as long as there is effort to pass over them; no token lies across their borders.
function* regionsOf(text: string, effort: Effort): Generator<Passage, void, undefined> {
  for (let start = 0; start < text.length;) {
    const end = tokenBorder(text, start + REGION, start + REGION + effort.left / TO_PASS);
    if (!effort.spend(Math.max(1, end - start - REGION) * TO_PASS)) return;
    yield { start, end };
    start = end;
  }
}

/**
 * The earliest passage of up to `span` units in which the most different terms occur, from the first of them to the end
 * of the last; longer only where a single term is. `undefined` if none was seen. Parts of the text that cannot hold a
 * better one are passed over by their folding alone, and after {@link ENOUGH} that could have and did not, or when there
 * is no effort left, the search ends. A phrase that lies far apart, with thousands of signs between its words, may be
 * overlooked, and so may what stands after {@link LONGEST_REGION} without a border.
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
    const start = tokenBorder(text, region.start - span, region.start); // windows may begin before what is new
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

/** A passage in which a term occurs, if one does at all: overlooks nothing for as long as there is effort to read on. */
export const anyPassage = (
  text: string,
  terms: readonly SearchTerm[],
  span: number,
  effort: Effort,
): Passage | undefined => {
  const overlap = longestOf(terms) - 1; // a term may begin in one part and end in the next
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

import type { Effort } from './effort.ts';
import { characterKind, EXTENDS, fold, IN_WORD, IS_TOKEN, SEPARATES, VANISHES } from './folding.ts';
import { occurrencesOf } from './match.ts';
import type { SearchTerm } from './query.ts';
import { MAX_TOKEN_CHARACTERS, placedTokens, type PlacedToken } from './tokens.ts';

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
const LOOK_AHEAD = 256; // beyond a region, for phrases that begin in it
const ENOUGH = 500_000; // characters that are read for a passage better than one that is there already
// Steps of effort, measured: what a character, a token or a match takes at the most, or nearly so.
const TO_PASS = 3;
const TO_LOWER = 4; // or to see that it is not so easy
const TO_FOLD = 30;
const TO_LOOK = 40; // whether a token is where it may be
const TO_READ = 20;
const TO_TAKE = 90; // a token that was read
const TO_COMPARE = 8; // a token with a term
const TO_KEEP = 150; // a match, and to put it in order

const MAX_MARKS = 30; // that follow each other: to normalise more takes the square of the time
const ASCII = /^[\0-\x7F]*$/;
// Of what these become by folding, borders of words cannot be told (½, ﷺ, ™, ㎏). Whole blocks; others in them do no harm.
const UNCLEAR = /[\u00BC-\u00BE\u013F\u0140\u037A\u20A8\u2100-\u218F\u2460-\u24FF\u309B\u309C\u3190-\u319F\u3200-\u33FF\uFC00-\uFDFF\uFE70-\uFEFC\u{1CCD6}-\u{1CCF9}\u{1F100}-\u{1F2FF}]/u;

const pointBefore = (text: string, at: number): number => {
  const isPair = at > 1 && (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 2) & 0xfc00) === 0xd800;
  return text.codePointAt(isPair ? at - 2 : at - 1) ?? 0;
};

/** Whether a character begins at `at`, with nothing before it that it belongs to. */
export const isCharacterStart = (text: string, at: number): boolean => {
  if (at <= 0 || at >= text.length) return true;
  const unit = text.charCodeAt(at);
  if ((unit & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) return false;
  const kind = characterKind(text.codePointAt(at) ?? 0);
  return kind !== EXTENDS && kind !== VANISHES && text.charCodeAt(at - 1) !== 0x200d;
};

/** The first place from `at` on where no token can be cut; `end` (at most the end of the text) if there is none before. */
export const tokenBorder = (text: string, at: number, end: number = text.length): number => {
  if (at <= 0) return 0;
  const stop = Math.min(end, text.length);
  for (let place = at; place < stop; place++) {
    const codePoint = text.codePointAt(place) ?? 0;
    const isInPair = codePoint >= 0xdc00 && codePoint <= 0xdfff && pointBefore(text, place + 1) !== codePoint;
    const kind = characterKind(codePoint);
    if (!isInPair && (kind === SEPARATES || kind === IS_TOKEN)) return place;
  }
  return stop;
};

const longestOf = (terms: readonly SearchTerm[]): number => terms.reduce((length, { tokens }) => Math.max(length, tokens.length), 1);

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
export const matchesIn = (text: string, terms: readonly SearchTerm[], from: number, to: number, effort: Effort): PlacedMatch[] => {
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

const isInWord = (codePoint: number | undefined): boolean => codePoint !== undefined && characterKind(codePoint) === IN_WORD;
const separates = (codePoint: number): boolean => characterKind(codePoint) === SEPARATES;

// Whether the term is at `place` of a folding, as far as its first tokens tell.
const isAt = (term: SearchTerm, folded: string, place: number, effort: Effort): boolean => {
  let at = place;
  for (let i = 0; i < Math.min(term.tokens.length, 4); i++) {
    const token = term.tokens[i] ?? '';
    if (at >= folded.length) return true;
    if (!effort.spend(TO_LOOK + token.length)) return false;
    if (!folded.startsWith(token, at)) return at + token.length > folded.length && token.startsWith(folded.slice(at));
    at += token.length;
    if (token.length >= MAX_TOKEN_CHARACTERS || (term.isPrefix && i === term.tokens.length - 1)) return true;
    if (isInWord(folded.codePointAt(at)) && isInWord(pointBefore(folded, at))) return false;
    const gap = at;
    while (at < folded.length && separates(folded.codePointAt(at) ?? 0)) at += (folded.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    effort.spend((at - gap) * TO_PASS);
  }
  return true;
};

/** Terms by the UTF-16 unit that they begin with. */
interface ByUnit {
  readonly terms: ReadonlyMap<number, readonly SearchTerm[]>;
  readonly low: Uint8Array; // by the low byte of a unit: 1 if there are terms for one like it
}

const byUnit = (all: readonly SearchTerm[]): ByUnit => {
  const terms = new Map<number, SearchTerm[]>();
  const low = new Uint8Array(256);
  for (const term of all) {
    const unit = term.tokens[0]?.charCodeAt(0) ?? 0;
    low[unit & 0xff] = 1;
    const alike = terms.get(unit);
    if (alike === undefined) terms.set(unit, [term]);
    else alike.push(term);
  }
  return { terms, low };
};

// The terms that can begin before `end` in a part of a text, by its folding: rather too many than too few.
const termsThatCanOccur = ({ terms, low }: ByUnit, folded: string, end: number, effort: Effort): readonly SearchTerm[] => {
  const possible = new Set<SearchTerm>();
  for (let at = 0; at < end && effort.left > 0; at++) {
    const unit = folded.charCodeAt(at);
    const alike = low[unit & 0xff] === 0 ? undefined : terms.get(unit);
    if (alike === undefined || !effort.spend(TO_PASS * alike.length) || (at > 0 && isInWord(unit) && isInWord(folded.charCodeAt(at - 1)))) continue;
    for (const term of alike) {
      if (!possible.has(term) && isAt(term, folded, at, effort)) possible.add(term);
    }
  }
  return effort.left > 0 ? [...possible] : [];
};

const hasManyMarks = (part: string): boolean => {
  let marks = 0;
  for (let i = 0; i < part.length && marks <= MAX_MARKS; i++) {
    const kind = characterKind(part.charCodeAt(i));
    if (kind === EXTENDS || kind === VANISHES) marks++;
    else if ((part.charCodeAt(i) & 0xf800) !== 0xd800) marks = 0; // the marks among the pairs count as they come
  }
  return marks > MAX_MARKS;
};

const isUnclear = (part: string): boolean => UNCLEAR.test(part) || hasManyMarks(part);

const possibleTerms = (text: string, terms: readonly SearchTerm[], begins: ByUnit, { start, end }: Passage, effort: Effort): readonly SearchTerm[] => {
  const part = text.slice(start, end);
  const next = text.slice(end, tokenBorder(text, end + LOOK_AHEAD, end + 2 * LOOK_AHEAD));
  const isAscii = ASCII.test(part) && ASCII.test(next);
  if (!effort.spend((part.length + next.length) * TO_LOWER)) return [];
  if (isAscii) return termsThatCanOccur(begins, part.toLowerCase() + next.toLowerCase(), part.length, effort);
  if (isUnclear(part) || isUnclear(next)) return terms;
  if (!effort.spend((part.length + next.length) * TO_FOLD)) return [];
  const folded = fold(part);
  return termsThatCanOccur(begins, folded + fold(next), folded.length, effort);
};

const bestWindow = (found: readonly PlacedMatch[], span: number): Passage & { readonly count: number } => {
  const shown = new Map<SearchTerm, number>();
  let best = { start: 0, end: 0, count: 0 };
  let left = 0;
  for (const { term, start, end } of found) {
    shown.set(term, (shown.get(term) ?? 0) + 1);
    for (let first = found[left]; first !== undefined && first.start < Math.min(end - span, start); first = found[++left]) {
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
  for (let start = 0; start < text.length; ) {
    const end = tokenBorder(text, start + REGION, start + REGION + effort.left / TO_PASS);
    if (!effort.spend((end - start) * TO_PASS)) return;
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
export const bestPassage = (text: string, terms: readonly SearchTerm[], span: number, effort: Effort): Passage | undefined => {
  let best: Passage & { readonly count: number } = { start: 0, end: 0, count: 0 };
  let read = 0;
  const begins = byUnit(terms);
  for (const region of regionsOf(text, effort)) {
    const start = tokenBorder(text, region.start - span, region.start); // windows may begin before what is new
    const end = Math.min(region.end, region.start + LONGEST_REGION);
    const possible = possibleTerms(text, terms, begins, { start, end }, effort);
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
export const anyPassage = (text: string, terms: readonly SearchTerm[], span: number, effort: Effort): Passage | undefined => {
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

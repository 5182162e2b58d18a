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
const ENOUGH = 500_000; // characters that are read for a passage better than one that is there already
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

/** The first place from `at` on where no token can be cut; the end of the text if there is none. */
export const tokenBorder = (text: string, at: number): number => {
  if (at <= 0) return 0;
  for (let place = at; place < text.length; place++) {
    const codePoint = text.codePointAt(place) ?? 0;
    const isInPair = codePoint >= 0xdc00 && codePoint <= 0xdfff && pointBefore(text, place + 1) !== codePoint;
    const kind = characterKind(codePoint);
    if (!isInPair && (kind === SEPARATES || kind === IS_TOKEN)) return place;
  }
  return text.length;
};

const longestOf = (terms: readonly SearchTerm[]): number => terms.reduce((length, { tokens }) => Math.max(length, tokens.length), 1);

const matchesAmong = (placed: readonly PlacedToken[], terms: readonly SearchTerm[]): PlacedMatch[] => {
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

/**
 * Where the terms occur in `text`, of what begins in the part from `from` (a border) to before `to`, in order. They may
 * end after it, but not after the first border from `stop` on.
 */
export const matchesIn = (text: string, terms: readonly SearchTerm[], from: number, to: number, stop: number): PlacedMatch[] => {
  const longest = longestOf(terms);
  const placed: PlacedToken[] = [];
  let beyond = 0;
  for (const token of placedTokens(text, from, tokenBorder(text, to))) placed.push(token);
  if (placed.length > 0 && longest > 1) {
    for (const token of placedTokens(text, tokenBorder(text, to), tokenBorder(text, stop))) {
      placed.push(token);
      if (++beyond >= longest) break;
    }
  }
  return matchesAmong(placed, terms).filter(({ start }) => start < to);
};

const isInWord = (codePoint: number | undefined): boolean => codePoint !== undefined && characterKind(codePoint) === IN_WORD;
const separates = (codePoint: number): boolean => characterKind(codePoint) === SEPARATES;

const continuesAt = (term: SearchTerm, folded: string, place: number): boolean => {
  let at = place;
  for (const [i, token] of term.tokens.slice(0, 4).entries()) {
    if (at >= folded.length) return true;
    if (!folded.startsWith(token, at)) return false;
    at += token.length;
    if (token.length >= MAX_TOKEN_CHARACTERS || (term.isPrefix && i === term.tokens.length - 1)) return true;
    if (isInWord(folded.codePointAt(at)) && isInWord(pointBefore(folded, at))) return false;
    while (at < folded.length && separates(folded.codePointAt(at) ?? 0)) at += (folded.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return true;
};

// Whether the term can begin in a part of a text, by its folding: says so too often rather than too seldom.
const canOccur = (term: SearchTerm, folded: string): boolean => {
  const first = term.tokens[0] ?? '';
  const isWord = isInWord(first.codePointAt(0));
  for (let at = folded.indexOf(first); at !== -1; at = folded.indexOf(first, at + 1)) {
    if (at > 0 && isWord && isInWord(pointBefore(folded, at))) continue;
    if (continuesAt(term, folded, at)) return true;
  }
  return false;
};

const possibleTerms = (terms: readonly SearchTerm[], part: string): readonly SearchTerm[] => {
  const isAscii = ASCII.test(part);
  if (!isAscii && UNCLEAR.test(part)) return terms;
  const folded = isAscii ? part.toLowerCase() : fold(part);
  return terms.filter((term) => canOccur(term, folded));
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

/**
 * The earliest passage of up to `span` units in which the most different terms occur, from the first of them to the end
 * of the last; longer only where a single term is. `undefined` if none was seen. Parts of the text that cannot hold a
 * better one are passed over by their folding alone, and after {@link ENOUGH} that could have and did not, the search
 * ends. A phrase that lies far apart, with thousands of signs between its words, may be overlooked.
 */
export const bestPassage = (text: string, terms: readonly SearchTerm[], span: number): Passage | undefined => {
  let best: Passage & { readonly count: number } = { start: 0, end: 0, count: 0 };
  let read = 0;
  for (let from = 0; from < text.length && best.count < terms.length && read < ENOUGH; ) {
    const start = tokenBorder(text, from - span); // windows may begin before what is new
    const to = tokenBorder(text, from + REGION);
    const possible = possibleTerms(terms, text.slice(start, to));
    if (possible.length > best.count) {
      const window = bestWindow(matchesIn(text, possible, start, to, to + REGION), span);
      if (window.count > best.count) best = window;
      if (best.count > 0) read += to - start;
    }
    from = to;
  }
  return best.count === 0 ? undefined : best;
};

/** A passage in which a term occurs, if one does at all: overlooks nothing, and takes as long as reading all of the text. */
export const anyPassage = (text: string, terms: readonly SearchTerm[], span: number): Passage | undefined => {
  const overlap = longestOf(terms) - 1; // a term may begin in one part and end in the next
  let part: PlacedToken[] = [];
  const passage = (): Passage | undefined => {
    const window = bestWindow(matchesAmong(part, terms), span);
    part = overlap === 0 ? [] : part.slice(-overlap);
    return window.count === 0 ? undefined : window;
  };
  for (const token of placedTokens(text)) {
    if (part.push(token) <= REGION) continue;
    const found = passage();
    if (found !== undefined) return found;
  }
  return passage();
};

import type { Budget } from './budget.ts';
import { characterKind, EXTENDS, fold, IN_WORD, SEPARATES, IGNORED } from './folding.ts';
import type { SearchTerm } from './query.ts';
import { pointBefore, tokenBoundary } from './token-boundary.ts';
import { MAX_TOKEN_CHARACTERS } from './tokens.ts';

const LOOK_AHEAD = 256; // beyond a region, for phrases that begin in it
// Costs in steps of the budget, for each character or token.
const SKIP_COST = 3;
const LOWER_CASE_COST = 4; // also the cost of the test for ASCII
const FOLD_COST = 30;
const LOOKUP_COST = 40; // to compare a token at a position
const MAX_MARKS = 30; // in a row; normalizing more takes quadratic time
const ASCII = /^[\0-\x7F]*$/;
// Unicode blocks with characters whose folding contains word boundaries (½, ﷺ, ™, ㎏). Their other characters do no harm.
const UNCLEAR =
  /[\u00BC-\u00BE\u013F\u0140\u037A\u20A8\u2100-\u218F\u2460-\u24FF\u309B\u309C\u3190-\u319F\u3200-\u33FF\uFC00-\uFDFF\uFE70-\uFEFC\u{1CCD6}-\u{1CCF9}\u{1F100}-\u{1F2FF}]/u;

const isInWord = (codePoint: number | undefined): boolean =>
  codePoint !== undefined && characterKind(codePoint) === IN_WORD;
const separates = (codePoint: number): boolean => characterKind(codePoint) === SEPARATES;

// Whether the first tokens of the term are at `place` of a folding.
const isAt = (term: SearchTerm, folded: string, place: number, budget: Budget): boolean => {
  let at = place;
  for (let i = 0; i < Math.min(term.tokens.length, 4); i++) {
    const token = term.tokens[i] ?? '';
    if (at >= folded.length) return true;
    if (!budget.spend(LOOKUP_COST + token.length)) return false;
    if (!folded.startsWith(token, at)) return at + token.length > folded.length && token.startsWith(folded.slice(at));
    at += token.length;
    if (token.length >= MAX_TOKEN_CHARACTERS || (term.isPrefix && i === term.tokens.length - 1)) return true;
    if (isInWord(folded.codePointAt(at)) && isInWord(pointBefore(folded, at))) return false;
    const gap = at;
    while (at < folded.length && separates(folded.codePointAt(at) ?? 0))
      at += (folded.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    budget.spend((at - gap) * SKIP_COST);
  }
  return true;
};

/** Terms by their first UTF-16 unit. */
export interface TermsByUnit {
  readonly terms: ReadonlyMap<number, readonly SearchTerm[]>;
  readonly low: Uint8Array; // by the low byte of a unit: 1 if a term starts with such a unit
}

/** The terms, grouped by their first unit. */
export const termsByUnit = (all: readonly SearchTerm[]): TermsByUnit => {
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

// The terms that may start before `end` in the folded part of a text. The result may contain terms that do not occur.
const termsThatCanOccur = (
  { terms, low }: TermsByUnit,
  folded: string,
  end: number,
  budget: Budget,
): readonly SearchTerm[] => {
  const possible = new Set<SearchTerm>();
  for (let at = 0; at < end && budget.left > 0; at++) {
    const unit = folded.charCodeAt(at);
    const alike = low[unit & 0xff] === 0 ? undefined : terms.get(unit);
    if (
      alike === undefined ||
      !budget.spend(SKIP_COST * alike.length) ||
      (at > 0 && isInWord(unit) && isInWord(folded.charCodeAt(at - 1)))
    )
      continue;
    for (const term of alike) {
      if (!possible.has(term) && isAt(term, folded, at, budget)) possible.add(term);
    }
  }
  return budget.left > 0 ? [...possible] : [];
};

const hasManyMarks = (part: string): boolean => {
  let marks = 0;
  for (let i = 0; i < part.length && marks <= MAX_MARKS;) {
    const codePoint = part.codePointAt(i) ?? 0;
    const kind = characterKind(codePoint);
    marks = kind === EXTENDS || kind === IGNORED ? marks + 1 : 0;
    i += codePoint > 0xffff ? 2 : 1;
  }
  return marks > MAX_MARKS;
};

const isUnclear = (part: string): boolean => UNCLEAR.test(part) || hasManyMarks(part);

/**
 * The terms that may start in the part of `text` from `start` to `end` (a token boundary). A fast filter on the folded
 * text: the result contains all terms that occur, and maybe others. It is empty if the budget is used up.
 */
export const possibleTerms = (
  text: string,
  terms: readonly SearchTerm[],
  begins: TermsByUnit,
  start: number,
  end: number,
  budget: Budget,
): readonly SearchTerm[] => {
  const part = text.slice(start, end);
  const next = text.slice(end, tokenBoundary(text, end + LOOK_AHEAD, end + 2 * LOOK_AHEAD));
  const isAscii = ASCII.test(part) && ASCII.test(next);
  if (!budget.spend((part.length + next.length) * LOWER_CASE_COST)) return [];
  if (isAscii) return termsThatCanOccur(begins, part.toLowerCase() + next.toLowerCase(), part.length, budget);
  if (isUnclear(part) || isUnclear(next)) return terms;
  if (!budget.spend((part.length + next.length) * FOLD_COST)) return [];
  const folded = fold(part);
  return termsThatCanOccur(begins, folded + fold(next), folded.length, budget);
};

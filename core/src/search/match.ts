import type { SearchQuery, SearchTerm } from './query.ts';

// For each prefix of `pattern`: the length of its longest proper prefix that is also its suffix (Knuth, Morris, Pratt).
const bordersOf = (pattern: readonly string[]): readonly number[] => {
  const borders = [0, 0];
  let length = 0;
  for (let i = 1; i < pattern.length; i++) {
    while (length > 0 && pattern[i] !== pattern[length]) length = borders[length] ?? 0;
    if (pattern[i] === pattern[length]) length++;
    borders.push(length);
  }
  return borders;
};

/** The indexes in `tokens` where the term occurs, ascending. Occurrences may overlap. The time is linear. */
export function* occurrencesOf(term: SearchTerm, tokens: readonly string[]): Generator<number, void, undefined> {
  const before = term.tokens.slice(0, -1);
  const last = term.tokens.at(-1);
  if (last === undefined) return;
  const borders = bordersOf(before);
  let found = 0; // the number of tokens of `before` directly before `i`
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] ?? '';
    if (found === before.length) {
      if (term.isPrefix ? token.startsWith(last) : token === last) yield i - found;
      if (found === 0) continue;
      found = borders[found] ?? 0;
    }
    while (found > 0 && token !== before[found]) found = borders[found] ?? 0;
    if (token === before[found]) found++;
  }
}

/** The number of occurrences of the term in `tokens`. */
export const countOccurrences = (term: SearchTerm, tokens: readonly string[]): number => {
  let count = 0;
  for (const _ of occurrencesOf(term, tokens)) count++;
  return count;
};

/**
 * Whether each term of `query.all` occurs in one of the fields, and no term of `query.none` does. The fields are given
 * as their tokens. A query without terms matches everything.
 */
export const matches = (query: SearchQuery, fields: readonly (readonly string[])[]): boolean => {
  const occurs = (term: SearchTerm): boolean =>
    fields.some((tokens) => occurrencesOf(term, tokens).next().done === false);
  return query.all.every(occurs) && !query.none.some(occurs);
};

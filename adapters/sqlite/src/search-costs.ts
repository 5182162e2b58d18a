import type { SearchQuery } from '@palimpsest/core';

/** All that an owner has in the index. */
export interface OwnerEntries {
  readonly entry_count: number;
  readonly words_length: number; // characters
}

// Upper bounds, measured with texts and words made to take long; usual ones take a tenth and less.
const NS_FOR_WORD = 20_000;
const NS_FOR_ENTRY = 60; // and word
const NS_FOR_CHARACTER = 0.5; // as the places of a word are passed over
const NS_FOR_PHRASE_CHARACTER = 3; // and word
const NS_FOR_PREFIX_CHARACTER = 12; // and prefix
const NS_FOR_INDEXED_PREFIX_CHARACTER = 2; // and prefix that has an index of its own
const INDEXED_PREFIX = /^..?$/u;

/**
 * For how many nanoseconds FTS5 can be busy at most with a query for one owner's entries. It is so in one go, which nothing
 * can stop: not the end of its thread, either.
 */
export const nanosecondsOf = (
  { all, none }: SearchQuery,
  { entry_count: entries, words_length: characters }: OwnerEntries,
): number => {
  let nanoseconds = characters * NS_FOR_CHARACTER;
  if (all.length === 0) nanoseconds += entries * NS_FOR_ENTRY; // all entries are gone through
  for (const { tokens, isPrefix } of [...all, ...none]) {
    nanoseconds += tokens.length * (NS_FOR_WORD + entries * NS_FOR_ENTRY);
    if (tokens.length > 1) nanoseconds += tokens.length * characters * NS_FOR_PHRASE_CHARACTER;
    if (isPrefix) {
      const isIndexed = INDEXED_PREFIX.test(tokens.at(-1) ?? '');
      nanoseconds += characters * (isIndexed ? NS_FOR_INDEXED_PREFIX_CHARACTER : NS_FOR_PREFIX_CHARACTER);
    }
  }
  return nanoseconds;
};

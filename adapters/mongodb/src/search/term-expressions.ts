import type { SearchQuery, SearchTerm } from '@palimpsest/core';
import type { Document } from 'mongodb';
import { wordFields } from './entry-records.ts';
import { needleOf } from './segments.ts';

// A text of so many characters is neither long nor short.
const COMMON_LENGTH = 3000;
const SCALE = 1e12;
// The form of BM25 with its usual constants, k1 = 1.2 and b = 0.75, and a fixed length for the mean one.
const DAMPING = 0.3;
const DAMPING_BY_LENGTH = 0.9 / COMMON_LENGTH;

const isIn = (term: SearchTerm, words: string): Document => ({
  $gte: [{ $indexOfBytes: [words, { $literal: needleOf(term) }] }, 0],
});

const occurs = (term: SearchTerm): Document => ({ $or: wordFields.map((field) => isIn(term, `$words.${field}`)) });

const occurrencesIn = (term: SearchTerm, words: string | Document): Document => ({
  $subtract: [{ $size: { $split: [words, { $literal: needleOf(term) }] } }, 1],
});

const sum = (numbers: readonly Document[]): Document =>
  numbers.length === 0 ? { $literal: 0 } : { $add: [...numbers] };

/** Whether a short entry matches. */
export const matchesQuery = ({ all, none }: SearchQuery): Document => ({
  $and: [...all.map(occurs), ...none.map((term) => ({ $not: [occurs(term)] }))],
});

/** How many of the terms are in the title, or the file name, of a short entry. */
export const namesWith = (terms: readonly SearchTerm[], field: 'title' | 'filename'): Document =>
  sum(terms.map((term) => ({ $cond: [isIn(term, `$words.${field}`), 1, 0] })));

/** {@link oftenness} of each term in the text of a short entry, taken together. */
export const oftennessIn = (terms: readonly SearchTerm[]): Document => {
  const damping = { $add: [DAMPING, { $multiply: [DAMPING_BY_LENGTH, '$length'] }] };
  return sum(
    terms.map((term) => ({
      $let: {
        vars: { n: occurrencesIn(term, '$words.text') },
        in: { $floor: { $divide: [{ $multiply: [SCALE, '$$n'] }, { $add: ['$$n', damping] }] } },
      },
    })),
  );
};

/**
 * 0 to 10¹², whole, so that it adds up exactly in any order: grows with the occurrences, ever more slowly, and sooner in a
 * shorter text. Computed as MongoDB computes it in {@link oftennessIn}.
 */
export const oftenness = (occurrences: number, length: number): number =>
  Math.floor((SCALE * occurrences) / (occurrences + (DAMPING + DAMPING_BY_LENGTH * length)));

/**
 * How often `term` begins in a part of a long entry. What begins in the part and ends in the next is what is there with
 * the words that follow and is not in those alone.
 */
export const occurrencesInPart = (term: SearchTerm): Document =>
  term.tokens.length === 1
    ? occurrencesIn(term, '$words')
    : { $subtract: [occurrencesIn(term, { $concat: ['$words', '$after'] }), occurrencesIn(term, '$after')] };

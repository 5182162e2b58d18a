import type { SearchQuery, SearchTerm } from '@palimpsest/core';
import type { Document } from 'mongodb';
import { wordFields } from './entry-records.ts';
import { needleOf } from './segments.ts';

// The text length, in characters, to which BM25 is normalized.
const MEAN_LENGTH = 3000;
const SCALE = 1e12;
// BM25 with the usual constants k1 = 1.2 and b = 0.75, and a fixed mean length: k1 * (1 - b) and k1 * b / mean length.
const DAMPING = 0.3;
const DAMPING_BY_LENGTH = 0.9 / MEAN_LENGTH;

const isIn = (term: SearchTerm, words: string): Document => ({
  $gte: [{ $indexOfBytes: [words, { $literal: needleOf(term) }] }, 0],
});

const occurs = (term: SearchTerm): Document => ({ $or: wordFields.map((field) => isIn(term, `$words.${field}`)) });

const occurrencesIn = (term: SearchTerm, words: string | Document): Document => ({
  $subtract: [{ $size: { $split: [words, { $literal: needleOf(term) }] } }, 1],
});

const sum = (numbers: readonly Document[]): Document =>
  numbers.length === 0 ? { $literal: 0 } : { $add: [...numbers] };

/** An expression: whether a short entry matches. */
export const matchesQuery = ({ all, none }: SearchQuery): Document => ({
  $and: [...all.map(occurs), ...none.map((term) => ({ $not: [occurs(term)] }))],
});

/** An expression: the number of terms that occur in the title, or the file name, of a short entry. */
export const countTermsIn = (terms: readonly SearchTerm[], field: 'title' | 'filename'): Document =>
  sum(terms.map((term) => ({ $cond: [isIn(term, `$words.${field}`), 1, 0] })));

/** An expression: the sum of the {@link frequencyScore} of all terms in the text of a short entry. */
export const frequencyScoreIn = (terms: readonly SearchTerm[]): Document => {
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
 * The BM25 term frequency of a term, 0 to 10¹². A whole number, so that sums do not depend on the order of addition.
 * The same formula as in {@link frequencyScoreIn}.
 */
export const frequencyScore = (occurrences: number, length: number): number =>
  Math.floor((SCALE * occurrences) / (occurrences + (DAMPING + DAMPING_BY_LENGTH * length)));

/**
 * An expression: the number of occurrences of `term` that begin in a part of a long entry. A phrase may end in the next
 * part. So the expression counts the occurrences in the part with the words after it, and subtracts the occurrences in
 * the words after it.
 */
export const occurrencesInPart = (term: SearchTerm): Document =>
  term.tokens.length === 1
    ? occurrencesIn(term, '$words')
    : { $subtract: [occurrencesIn(term, { $concat: ['$words', '$after'] }), occurrencesIn(term, '$after')] };

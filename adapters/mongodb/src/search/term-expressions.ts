import { FREQUENCY_SCORE, type SearchQuery, type SearchTerm } from '@palimpsest/core';
import type { Document } from 'mongodb';
import { wordFields } from './entry-records.ts';
import { needleOf } from './segments.ts';

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

/** An expression: the sum of the `frequencyScore` of all terms in the text of a short entry. */
export const frequencyScoreIn = (terms: readonly SearchTerm[]): Document => {
  const { scale, damping, dampingPerCharacter } = FREQUENCY_SCORE;
  const damped = { $add: [damping, { $multiply: [dampingPerCharacter, '$length'] }] };
  return sum(
    terms.map((term) => ({
      $let: {
        vars: { n: occurrencesIn(term, '$words.text') },
        in: { $floor: { $divide: [{ $multiply: [scale, '$$n'] }, { $add: ['$$n', damped] }] } },
      },
    })),
  );
};

/**
 * An expression: the number of occurrences of `term` that begin in a part of a long entry. A phrase may end in the next
 * part. So the expression counts the occurrences in the part with the words after it, and subtracts the occurrences in
 * the words after it.
 */
export const occurrencesInPart = (term: SearchTerm): Document =>
  term.tokens.length === 1
    ? occurrencesIn(term, '$words')
    : { $subtract: [occurrencesIn(term, { $concat: ['$words', '$after'] }), occurrencesIn(term, '$after')] };

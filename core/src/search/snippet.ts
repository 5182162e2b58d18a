import { bestPassage, isCharacterStart, matchesAmong, type Passage } from './passage.ts';
import type { SearchQuery, SearchTerm } from './query.ts';
import { tokenBoundary } from './token-boundary.ts';
import { placedTokens } from './tokens.ts';

/** The maximal length of a snippet in UTF-16 units, without the ellipses. */
export const MAX_SNIPPET_LENGTH = 200;
const MAX_SPAN = 160; // of the matches; the rest is the text around them
const MAX_WORD_CUT = 30; // a snippet is cut at a space if one is within this distance, otherwise within a word
const LONGEST_WORD = 4096; // of which a highlight shows the end
const ELLIPSIS = '…';
const WHITE_SPACE = /\p{White_Space}/u;

/** A passage of a document, on one line. */
export interface Snippet {
  readonly text: string;
  readonly highlights: readonly (readonly [start: number, end: number])[]; // UTF-16 offsets in `text`, `end` exclusive; ascending and apart
}

interface Line {
  readonly text: string;
  readonly places: readonly number[]; // the offset in `text` of each unit of the raw text, and of its end
}

const onOneLine = (raw: string): Line => {
  const places: number[] = [];
  let text = '';
  for (let i = 0; i < raw.length; i++) {
    places.push(text.length);
    const unit = raw.charAt(i);
    if (!WHITE_SPACE.test(unit)) text += unit;
    else if (text !== '' && !text.endsWith(' ')) text += ' ';
  }
  places.push(text.length);
  return { text: text.trimEnd(), places };
};

// The first offset from `at` to `limit` where a line can start: after a space, if one is near.
const beginAfter = (line: string, at: number, limit: number): number => {
  const blank = line.indexOf(' ', at - 1) + 1;
  if (blank > 0 && blank <= Math.min(limit, at + MAX_WORD_CUT)) return blank;
  let place = at;
  while (place < limit && !isCharacterStart(line, place)) place++;
  return place;
};

// The last offset from `limit` to `at` where a line can end; `at` if there is none.
const endBefore = (line: string, at: number, limit: number): number => {
  const blank = line.lastIndexOf(' ', at);
  if (blank > 0 && blank >= Math.max(limit, at - MAX_WORD_CUT)) return blank;
  for (let place = at; place >= limit && place > 0; place--) if (isCharacterStart(line, place)) return place;
  return at;
};

const merged = (ranges: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] => {
  const apart: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = apart.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else apart.push([start, end]);
  }
  return apart;
};

// The passage with as much text around it as fits.
const show = (text: string, terms: readonly SearchTerm[], passage: Passage): Snippet => {
  const reach = 4 * MAX_SNIPPET_LENGTH; // longer than the snippet, because white space is shortened
  const from = tokenBoundary(text, passage.start - reach, passage.start);
  const stop = text.trimEnd().length;
  let to = Math.min(stop, Math.min(passage.end, passage.start + reach) + reach);
  while (to < stop && to > passage.start + reach / 2 && !isCharacterStart(text, to)) to--;
  const { text: line, places } = onOneLine(text.slice(from, to));
  const placeOf = (offset: number): number => Math.min(places[offset - from] ?? line.length, line.length);

  const first = placeOf(passage.start);
  const last = placeOf(passage.end);
  const room = Math.max(0, MAX_SNIPPET_LENGTH - (last - first));
  let begin = Math.max(0, Math.min(first - Math.floor(room / 2), line.length - MAX_SNIPPET_LENGTH));
  const isCutBefore = begin > 0 || text.slice(0, from).trim() !== '';
  if (begin > 0) begin = beginAfter(line, begin, first);
  let end = Math.min(begin + MAX_SNIPPET_LENGTH, line.length);
  const isCutAfter = end < line.length || to < stop;
  if (isCutAfter) end = endBefore(line, end, last <= end ? last : first + 1);

  const shift = (isCutBefore ? ELLIPSIS.length : 0) - begin;
  const isLong = passage.end > to; // then it is a single match
  const shown = [...placedTokens(text, from, tokenBoundary(text, to, to + LONGEST_WORD))];
  const highlights = [...(isLong ? [passage] : []), ...matchesAmong(shown, terms)]
    .filter(
      (match) =>
        placeOf(match.start) >= begin &&
        ((match.end <= to && placeOf(match.end) <= end) || match.start === passage.start),
    )
    .map((match) => [placeOf(match.start) + shift, Math.min(placeOf(match.end), end) + shift] as const)
    .filter(([start, end]) => start < end)
    .sort(([a], [b]) => a - b);
  return {
    text: `${isCutBefore ? ELLIPSIS : ''}${line.slice(begin, end)}${isCutAfter ? ELLIPSIS : ''}`,
    highlights: merged(highlights),
  };
};

const beginning = (text: string): Snippet => show(text, [], { start: 0, end: 0 });

/**
 * A passage of a document that shows why it matches. Whole words are highlighted, a phrase as one range. The passage is
 * the earliest part of the text with the most different terms of `query.all`, otherwise a part of the title, otherwise
 * of the file name. Only the first `MAX_WORDS_READ` words of each field are read.
 * Without a match (the query has only exclusions, or the document does not match), the snippet shows the beginning of
 * the text, or the title if the document has no text, without highlights. White space becomes single spaces. Omitted
 * text becomes an ellipsis, at a space if one is near, and never between a character and its marks.
 *
 * Yields after every thousand words, about a millisecond of work, so that the caller can let other work run.
 */
export function* snippetInSteps(
  query: SearchQuery,
  fields: { readonly title: string; readonly filename: string; readonly text: string },
): Generator<undefined, Snippet> {
  for (const field of [fields.text, fields.title, fields.filename]) {
    const passage = yield* bestPassage(field, query.all, MAX_SPAN);
    if (passage !== undefined) return show(field, query.all, passage);
  }
  return beginning(fields.text.trim() === '' ? fields.title : fields.text);
}

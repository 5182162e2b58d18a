import { Effort } from './effort.ts';
import { anyPassage, bestPassage, isCharacterStart, matchesIn, type Passage } from './passage.ts';
import type { SearchQuery, SearchTerm } from './query.ts';
import { tokenBorder } from './token-border.ts';

/** A snippet has at most so many UTF-16 units, apart from the ellipses. */
export const MAX_SNIPPET_LENGTH = 200;
const MAX_SPAN = 160; // of what it is about; the rest is what stands around it
const MAX_TERMS = 20; // that a passage is chosen by: more have no room in it
const MAX_WORD_CUT = 30; // looked back for a blank, before a word is cut
// How much is done for a snippet: about a tenth of a second, whatever the text and the query are.
const EFFORT_FOR_TEXT = 50_000_000;
const EFFORT_FOR_NAMES = 10_000_000; // title and file name
const EFFORT_TO_SHOW = 10_000_000;
const ELLIPSIS = '…';
const WHITE_SPACE = /\p{White_Space}/u;

/** A passage of a document, on one line. */
export interface Snippet {
  readonly text: string;
  readonly highlights: readonly (readonly [start: number, end: number])[]; // UTF-16 offsets in `text`, `end` exclusive; ascending and apart
}

interface Line {
  readonly text: string;
  readonly places: readonly number[]; // of each unit of the raw text, and of its end, in `text`
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

// The next place at or after `at`, but not after `limit`, where a line can begin: behind a blank, if one is near.
const beginAfter = (line: string, at: number, limit: number): number => {
  const blank = line.indexOf(' ', at - 1) + 1;
  if (blank > 0 && blank <= Math.min(limit, at + MAX_WORD_CUT)) return blank;
  let place = at;
  while (place < limit && !isCharacterStart(line, place)) place++;
  return place;
};

// The next place at or before `at`, but not before `limit`, where a line can end; in the character at `at` if there is none.
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

// The passage with what stands around it, as much as there is room for.
const show = (text: string, terms: readonly SearchTerm[], passage: Passage): Snippet => {
  const reach = 4 * MAX_SNIPPET_LENGTH; // blanks take no room
  const from = tokenBorder(text, passage.start - reach, passage.start);
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
  const isLong = passage.end > to; // then it is of one term alone
  const highlights = [...(isLong ? [passage] : []), ...matchesIn(text, terms, from, to, new Effort(EFFORT_TO_SHOW))]
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
 * The passage of a document for which it was found, with what matched highlighted in whole words (a phrase as one range):
 * the earliest part of the text with the most different terms of `query.all`; of the title if none is in the text, of the
 * file name if none is there either. In a very long text it may be overlooked: what a snippet costs is bounded, whatever
 * the text and the query are. Where nothing can be shown (there are only exclusions, or the document does not
 * match), the beginning of the text, or the title if it has none, without highlights. White space is made single blanks;
 * what is cut off is an ellipsis, at a blank if one is near, never in a character with its marks.
 */
export const snippetOf = (
  query: SearchQuery,
  fields: { readonly title: string; readonly filename: string; readonly text: string },
): Snippet => {
  const terms = query.all.slice(0, MAX_TERMS);
  const forNames = new Effort(EFFORT_FOR_NAMES);
  const inOrder = [
    [fields.text, new Effort(EFFORT_FOR_TEXT)],
    [fields.title, forNames],
    [fields.filename, forNames],
  ] as const;
  if (terms.length > 0) {
    for (const find of [bestPassage, anyPassage]) {
      for (const [field, effort] of inOrder) {
        const passage = find(field, terms, MAX_SPAN, effort);
        if (passage !== undefined) return show(field, query.all, passage);
      }
    }
  }
  return beginning(fields.text.trim() === '' ? fields.title : fields.text);
};

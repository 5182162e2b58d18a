import type { TextChange } from './text-change.ts';

// Code points that extend the preceding character (Unicode Standard Annex 29), and Thai and Lao vowels, which are letters.
const JOINED = String.raw`[\p{Grapheme_Extend}\p{M}\p{EMod}\u200D\u0E33\u0EB3]`;
// Letters of scripts without spaces: each is a word of its own. Korean has spaces.
const UNSPACED = String.raw`[[\p{L}\p{Nl}]&&[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]`;
const LETTER = String.raw`[[\p{L}\p{N}\p{Pc}]--${UNSPACED}]`;
const WORD = new RegExp(
  [
    `${LETTER}[${LETTER}${JOINED}\u00AD]*`,
    String.raw`\p{RI}\p{RI}${JOINED}*`, // a flag
    // Any other character, with joined emoji, and with subscript consonants (Khmer, Myanmar).
    String.raw`\S${JOINED}*(?:(?<=\u200D)\p{ExtPict}${JOINED}*|(?<=[\u1039\u17D2])\p{L}${JOINED}*)*`,
    String.raw`[^\S\r\n]${JOINED}+`, // an accent shown alone, on a space
  ].join('|'),
  'gv',
);
const WHITE = /\s/;
// Sequences that must not be divided after their first character. Line ends are never extended.
const ONE_CHARACTER = new RegExp(String.raw`^(?:\r\n|[^\r\n]${JOINED})`, 'v');
const isDivided = (text: string, place: number): boolean =>
  place > 0 && ONE_CHARACTER.test(text.slice(place - 1, place + 2));

/**
 * The words of a text in order, as matches (text and index), found lazily. A word is a run of letters, digits and their
 * extensions ("_", accents, soft hyphens), or any other character except white space, such as a punctuation mark. In
 * scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) each character is a word. A user-perceived
 * character (grapheme cluster) is never divided. Only white space lies between the words.
 */
export const wordsOf = (text: string): IterableIterator<RegExpExecArray> => text.matchAll(WORD);

/** Builds the changes between two texts from their common words. */
export interface ChangeCollector {
  /** Adds common words: `length` UTF-16 units from these offsets on. The words come in the order of both texts. */
  keep(fromStart: number, toStart: number, length: number): void;
  /** The changes, after the last word. */
  end(): readonly TextChange[];
}

/**
 * Collects the changes from one text to the other in the form that `WordDiff` promises. The text between two kept words
 * is one change, including its white space. White space at both ends of a change that is the same in both texts is
 * `equal`.
 */
export const collectChanges = (from: string, to: string): ChangeCollector => {
  const changes: TextChange[] = [];
  let equalStart = 0; // in `from`
  let fromEnd = 0;
  let toEnd = 0;

  const add = (op: TextChange['op'], text: string): void => {
    if (text !== '') changes.push({ op, text });
  };

  /** The length of the white space that follows in both texts, up to these offsets. */
  const whiteAhead = (fromStop: number, toStop: number): number => {
    const most = Math.min(fromStop - fromEnd, toStop - toEnd);
    let length = 0;
    while (length < most && from[fromEnd + length] === to[toEnd + length] && WHITE.test(from.charAt(fromEnd + length)))
      length++;
    return length > 0 && (isDivided(from, fromEnd + length) || isDivided(to, toEnd + length)) ? length - 1 : length;
  };

  /** The length of the white space before these offsets that both texts share, at most `most`. */
  const whiteBehind = (fromStop: number, toStop: number, most: number): number => {
    let length = 0;
    while (
      length < most &&
      from[fromStop - length - 1] === to[toStop - length - 1] &&
      WHITE.test(from.charAt(fromStop - length - 1))
    )
      length++;
    return length > 0 && (isDivided(from, fromStop - length) || isDivided(to, toStop - length)) ? length - 1 : length;
  };

  const isSame = (fromStop: number, toStop: number): boolean => {
    if (fromStop - fromEnd !== toStop - toEnd) return false;
    for (let i = 0; i < fromStop - fromEnd; i++)
      if (from.charCodeAt(fromEnd + i) !== to.charCodeAt(toEnd + i)) return false;
    return true;
  };

  /** Adds the change before these offsets, if the texts differ there. */
  const advance = (fromStop: number, toStop: number): void => {
    if (!isSame(fromStop, toStop)) {
      const ahead = whiteAhead(fromStop, toStop);
      const behind = whiteBehind(fromStop, toStop, Math.min(fromStop - fromEnd, toStop - toEnd) - ahead);
      add('equal', from.slice(equalStart, fromEnd + ahead));
      add('delete', from.slice(fromEnd + ahead, fromStop - behind));
      add('insert', to.slice(toEnd + ahead, toStop - behind));
      equalStart = fromStop - behind;
    }
    fromEnd = fromStop;
    toEnd = toStop;
  };

  return {
    keep: (fromStart, toStart, length) => {
      advance(fromStart, toStart);
      fromEnd += length;
      toEnd += length;
    },
    end: () => {
      advance(from.length, to.length);
      add('equal', from.slice(equalStart));
      return changes;
    },
  };
};

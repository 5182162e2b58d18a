// What XML 1.0 has no way to write, not even escaped (its production 2, Char): controls and noncharacters. Lone
// surrogates are seen to by `toWellFormed`. A form feed is none of these here, as it parts pages.
const ILLEGAL = /[\u0000-\u0008\u000B\u000E-\u001F\uFFFE\uFFFF]/g;
const WHITE_SPACE = '\u000B';

const replacement = (character: string): string => (character === WHITE_SPACE ? ' ' : '\uFFFD');

/** {@link xmlSafe} that leaves form feeds alone. */
export const xmlSafePages = (text: string): string => {
  const wellFormed = text.toWellFormed();
  return wellFormed.search(ILLEGAL) < 0 ? wellFormed : wellFormed.replace(ILLEGAL, replacement);
};

/**
 * `text` with U+FFFD in place of what XML 1.0 cannot hold: lone surrogates, U+FFFE, U+FFFF and the controls up to U+001F
 * but tab, line feed and carriage return. Vertical tab and form feed, which are white space, become spaces. The number
 * of UTF-16 units stays the same. Everything else stays as it is; it still has to be escaped.
 */
export const xmlSafe = (text: string): string => xmlSafePages(text).replaceAll('\f', ' ');

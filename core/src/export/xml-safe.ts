// What XML 1.0 has no way to write, not even escaped (its production 2, Char): controls and noncharacters. Lone
// surrogates are seen to by `toWellFormed`. A form feed is none of these here, as it parts pages.
const ILLEGAL = /[\u0000-\u0008\u000B\u000E-\u001F\uFFFE\uFFFF]/;
const [VERTICAL_TAB, TAB, LINE_FEED, FORM_FEED, CARRIAGE_RETURN, SPACE] = [0x0b, 0x09, 0x0a, 0x0c, 0x0d, 0x20];
const REPLACEMENT = 0xfffd;
const PART_LENGTH = 8192;

const legalUnit = (unit: number): number => {
  if (unit === VERTICAL_TAB) return SPACE;
  const isLegal =
    (unit >= SPACE && unit < 0xfffe) ||
    unit === TAB ||
    unit === LINE_FEED ||
    unit === FORM_FEED ||
    unit === CARRIAGE_RETURN;
  return isLegal ? unit : REPLACEMENT;
};

/** {@link xmlSafe} that leaves form feeds alone. */
export const xmlSafePages = (text: string): string => {
  const wellFormed = text.toWellFormed();
  if (!ILLEGAL.test(wellFormed)) return wellFormed;
  // Five million replacements by a regular expression would hold up everything else for half a second.
  let safe = '';
  for (let start = 0; start < wellFormed.length; start += PART_LENGTH) {
    const units: number[] = [];
    for (let i = start; i < start + PART_LENGTH && i < wellFormed.length; i++)
      units.push(legalUnit(wellFormed.charCodeAt(i)));
    safe += String.fromCharCode(...units);
  }
  return safe;
};

/**
 * `text` with U+FFFD in place of what XML 1.0 cannot hold: lone surrogates, U+FFFE, U+FFFF and the controls up to U+001F
 * but tab, line feed and carriage return. Vertical tab and form feed, which are white space, become spaces. The number
 * of UTF-16 units stays the same. Everything else stays as it is; it still has to be escaped.
 */
export const xmlSafe = (text: string): string => xmlSafePages(text).replaceAll('\f', ' ');

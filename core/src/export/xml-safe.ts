// Characters that XML 1.0 does not allow, not even escaped (production 2, Char): controls and noncharacters.
// `toWellFormed` replaces lone surrogates. Form feeds are kept here, because they separate pages.
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

/** {@link xmlSafe} that keeps form feeds. */
export const xmlSafePages = (text: string): string => {
  const wellFormed = text.toWellFormed();
  if (!ILLEGAL.test(wellFormed)) return wellFormed;
  // Five million replacements by a regular expression would block the process for half a second.
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
 * `text` with U+FFFD in place of the characters that XML 1.0 does not allow: lone surrogates, U+FFFE, U+FFFF and the
 * controls up to U+001F except tab, line feed and carriage return. Vertical tab and form feed, which are white space,
 * become spaces. The number of UTF-16 units stays the same. The text still has to be escaped.
 */
export const xmlSafe = (text: string): string => xmlSafePages(text).replaceAll('\f', ' ');

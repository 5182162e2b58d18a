const LINE_HEIGHT = 15; // points, of Calibri 11
const MAX_HEIGHT = 405; // points, whole lines (Microsoft: "Excel specifications and limits", 409)

// Characters about as wide as two digits: Hangul, kana, Chinese characters, full-width forms, emoji (Unicode,
// East_Asian_Width W and F).
const isWide = (unit: number): boolean =>
  (unit >= 0x1100 && unit <= 0x115f) ||
  (unit >= 0x2e80 && unit <= 0xd7ff) ||
  (unit >= 0xf900 && unit <= 0xfaff) ||
  (unit >= 0xfe30 && unit <= 0xff60);

/**
 * The estimated height in points of a row with wrapped text in a column of `width` digits; `undefined` for one line.
 * The estimate is more often too large than too small. It is needed because LibreOffice shows only the first line of a
 * row without a height. Excel adjusts such a row itself.
 */
export const rowHeight = (text: string, width: number): number | undefined => {
  if (text.length * 2 <= width) return undefined;
  const maxUnits = (MAX_HEIGHT / LINE_HEIGHT) * width;
  let units = 0;
  for (let i = 0; i < text.length && units < maxUnits; i++) units += isWide(text.charCodeAt(i)) ? 2 : 1;
  return units <= width ? undefined : Math.min(Math.ceil(units / width) * LINE_HEIGHT, MAX_HEIGHT);
};

const LINE_HEIGHT = 15; // points, of Calibri 11
const MAX_HEIGHT = 405; // points, whole lines (Microsoft: "Excel specifications and limits", 409)

// Letters that are about as wide as two digits: Hangul, kana, Chinese characters, wide forms, pictures (Unicode,
// East_Asian_Width W and F).
const isWide = (unit: number): boolean =>
  (unit >= 0x1100 && unit <= 0x115f) ||
  (unit >= 0x2e80 && unit <= 0xd7ff) ||
  (unit >= 0xf900 && unit <= 0xfaff) ||
  (unit >= 0xfe30 && unit <= 0xff60);

/**
 * The height in points of a row whose text is wrapped in a column of `width` digits, and `undefined` for what fits into
 * one line. It is on the large side. Excel fits rows itself where nothing is said; LibreOffice would show the first line.
 */
export const rowHeight = (text: string, width: number): number | undefined => {
  if (text.length * 2 <= width) return undefined;
  const most = (MAX_HEIGHT / LINE_HEIGHT) * width;
  let units = 0;
  for (let i = 0; i < text.length && units < most; i++) units += isWide(text.charCodeAt(i)) ? 2 : 1;
  return units <= width ? undefined : Math.min(Math.ceil(units / width) * LINE_HEIGHT, MAX_HEIGHT);
};

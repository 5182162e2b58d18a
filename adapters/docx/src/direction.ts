// Letters that are written from right to left, and the mark that stands for one (Unicode, Bidi_Class R and AL: the blocks
// from Hebrew to Arabic Extended-A, the presentation forms, and two stretches beyond the basic plane).
const RIGHT_TO_LEFT = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const STRONG = /[\p{L}\u200E\u200F\u061C]/u;
const LOOKED_AT = 1000; // UTF-16 units

/** Whether the first letter of the text is written from right to left, as the Unicode bidirectional algorithm asks (P2). */
export const isRightToLeft = (text: string): boolean => {
  const start = text.slice(0, LOOKED_AT);
  if (!RIGHT_TO_LEFT.test(start)) return false;
  const [first = ''] = STRONG.exec(start) ?? [];
  return RIGHT_TO_LEFT.test(first);
};

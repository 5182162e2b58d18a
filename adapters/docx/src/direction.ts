// Right-to-left letters and the right-to-left mark (Unicode, Bidi_Class R and AL): the blocks from Hebrew to Arabic
// Extended-A, the presentation forms, and two ranges outside the Basic Multilingual Plane.
const RIGHT_TO_LEFT = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const STRONG = /[\p{L}\u200E\u200F\u061C]/u;
const MAX_PREFIX = 1000; // UTF-16 units

/** Whether the first letter of the text is a right-to-left letter (rule P2 of the Unicode bidirectional algorithm). */
export const isRightToLeft = (text: string): boolean => {
  const start = text.slice(0, MAX_PREFIX);
  if (!RIGHT_TO_LEFT.test(start)) return false;
  const [first = ''] = STRONG.exec(start) ?? [];
  return RIGHT_TO_LEFT.test(first);
};

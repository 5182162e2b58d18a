import { characterKind, IS_TOKEN, SEPARATES } from './folding.ts';

// The code point that ends before `at`; 0 at the start of the text.
const pointBefore = (text: string, at: number): number => {
  const isPair =
    at > 1 && (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 2) & 0xfc00) === 0xd800;
  return text.codePointAt(isPair ? at - 2 : at - 1) ?? 0;
};

/**
 * The first offset from `at` on that does not divide a token; `end` (at most the end of the text) if there is none
 * before it.
 */
export const tokenBoundary = (text: string, at: number, end: number = text.length): number => {
  if (at <= 0) return 0;
  const stop = Math.min(end, text.length);
  for (let place = at; place < stop; place++) {
    const codePoint = text.codePointAt(place) ?? 0;
    const isInPair = codePoint >= 0xdc00 && codePoint <= 0xdfff && pointBefore(text, place + 1) !== codePoint;
    const kind = characterKind(codePoint);
    if (!isInPair && (kind === SEPARATES || kind === IS_TOKEN)) return place;
  }
  return stop;
};

// In UTF-16 code units. Each takes at most three bytes in UTF-8: 6 MiB of the 16 MiB limit of a MongoDB document.
const PIECE_LENGTH = 2 * 1024 * 1024;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/**
 * Cuts a text into pieces that MongoDB can store, and splits no character. Returns one empty piece for an empty text.
 */
export const cutText = (text: string, length: number = PIECE_LENGTH): readonly string[] => {
  const pieces: string[] = [];
  let start = 0;
  do {
    let end = Math.min(start + length, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    pieces.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return pieces;
};

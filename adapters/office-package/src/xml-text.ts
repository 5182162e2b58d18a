const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes `text` for the content of an XML element. */
export const escapeXml = (text: string): string => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? '');

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/**
 * Splits `text` into pieces of at most `maxLength` (2 or more) UTF-16 units. A surrogate pair stays in one piece. An
 * empty text has no pieces.
 */
export function* splitText(text: string, maxLength: number): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + maxLength, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    yield text.slice(start, end);
  }
}

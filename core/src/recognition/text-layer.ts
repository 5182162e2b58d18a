const MIN_LETTERS = 20;
const MAX_BROKEN_SHARE = 0.05;

const LETTERS = /[\p{L}\p{N}]/gu;
const VISIBLE = /\S/gu;
// Controls, the replacement character, private use: what fonts without a mapping to Unicode give instead of text.
const BROKEN = /[\p{Cc}\p{Co}\p{Cn}\uFFFD]/gu;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * Whether the text that a file carries for a page can stand for the page: about 20 letters or digits at least (a stamp
 * or a page number alone does not make a scan readable), and under 5 % characters that no text means.
 */
export const isUsableTextLayer = (page: { readonly text: string }): boolean => {
  const text = page.text.replace(/\s+/g, ' ').toWellFormed();
  return count(text, LETTERS) >= MIN_LETTERS && count(text, BROKEN) < MAX_BROKEN_SHARE * count(text, VISIBLE);
};

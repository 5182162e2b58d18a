const MIN_LETTERS = 20;
const MAX_BROKEN_SHARE = 0.05;

const LETTERS = /[\p{L}\p{N}]/gu;
const VISIBLE = /\S/gu;
// Controls, the replacement character and private use: the result of fonts without a mapping to Unicode.
const BROKEN = /[\p{Cc}\p{Co}\p{Cn}\uFFFD]/gu;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * Whether a page's text layer can replace its recognition: it needs at least 20 letters or digits, because the text
 * layer of a scan may be only a stamp or a page number, and fewer than 5 % broken characters.
 */
export const isUsableTextLayer = (page: { readonly text: string }): boolean => {
  const text = page.text.replace(/\s+/g, ' ').toWellFormed();
  return count(text, LETTERS) >= MIN_LETTERS && count(text, BROKEN) < MAX_BROKEN_SHARE * count(text, VISIBLE);
};

import type { PageText, Word } from '@palimpsest/core';

/**
 * A recognized text. All words lie in one row of pixels and have the given confidence. A `\n` ends a line, an empty
 * line ends a block.
 */
export const toyText = (text: string, confidence: number): PageText => {
  const words: Word[] = [];
  let [at, line, block] = [0, 0, 0];
  for (const paragraph of text.split(/\n{2,}/)) {
    for (const row of paragraph.split('\n')) {
      const found = row.split(/\s+/).filter((word) => word !== '');
      for (const word of found)
        words.push({ text: word, confidence, bbox: [at, 0, (at += word.length), 1], line, block });
      if (found.length > 0) line++;
    }
    block++;
  }
  return { text, confidence: words.length === 0 ? 0 : confidence, words };
};

import type { Size } from '@palimpsest/core';
import type { OverlaidWord } from './found-pages.ts';

/** Words in many scripts, as OCR engines return them. */
export const wordsByScript: Readonly<Record<string, readonly string[]>> = {
  Latin: ['Zażółć', 'gęślą', 'naïve', 'Straße', 'ñandú', 'İstanbul', 'Đặng', 'e\u0301te\u0301'],
  Greek: ['Ωμέγα', 'γλῶσσα', 'ἄνθρωπος', 'ΐ'],
  Cyrillic: ['Привет', 'мир', 'ёлка', 'Україна'],
  Hebrew: ['שלום', 'עולם', 'בית־ספר', 'צה״ל'],
  'Hebrew with digits': ['ב-2020', 'א1'],
  Arabic: ['مرحبا', 'بالعالم', 'السَّلام', 'كتاب'],
  Persian: ['پارسی', 'گفت'],
  Chinese: ['漢字', '简体字', '𠮷野家', '〇'],
  Japanese: ['日本語', 'カタカナ', 'ひらがな', 'が'],
  Korean: ['한국어', '가나다'],
  Thai: ['ภาษาไทย', 'ที่นี่'],
  Devanagari: ['नमस्ते', 'हिन्दी', 'क्षत्रिय'],
  Georgian: ['ქართული', 'ენა'],
  Amharic: ['አማርኛ', 'ሰላም'],
  'signs and digits': ['10,000.50', '€99', '“quoted”', 'co-operate', '№5', '—', 'a/b', '(x)', '100%', "don't"],
  'emoji and letters outside the basic plane': ['😀', '👩‍👩‍👧', '𝔘𝔫𝔦', '🇩🇪'],
};

/** The words on a page of this size, one per row. */
export const inRows = (texts: readonly string[], { width, height }: Size): readonly OverlaidWord[] =>
  texts.map((text, i) => {
    const [left, top] = [Math.round(width * (0.1 + 0.02 * i)), Math.round(height * (0.05 + 0.05 * i))];
    return { text, bbox: [left, top, left + Math.round(width * 0.3), top + Math.round(height * 0.03)] };
  });

import type { RecognizedPage, Word } from '@palimpsest/core';

/** Two words on two lines. */
export const someWords = (): readonly Word[] => [
  { text: 'Grüße', confidence: 0.875, bbox: [10, 20, 110, 60], line: 0, block: 0 },
  { text: '“friends”', confidence: 0.1, bbox: [10, 80, 190, 120], line: 1, block: 0 },
];

/** A recognized page. */
export const aPage = (given: Partial<RecognizedPage> = {}): RecognizedPage => ({
  number: 1,
  width: 2480,
  height: 3508,
  rotation: 0,
  source: 'ocr',
  engine: 'tesseract',
  language: 'eng+deu',
  text: 'Grüße\n“friends”\n',
  confidence: 0.4875,
  words: someWords(),
  ...given,
});

import type { OcrView } from '@palimpsest/core';
import { z } from 'zod';
import { instantOrNull } from '../documents/document-schemas.ts';
import { timestamp, type Answer } from '../http/openapi/formats.ts';

export const ORIGINAL_TEXT = 'Invoice No. 47ll\nNet amount: 120.00';
export const REVISED_TEXT = 'Invoice No. 4711\nNet amount: 120.00';
export const REVISED_AT = '2026-11-21T10:02:40.000731+00:00';

export const ocrResult = z
  .strictObject({
    engine: z.string().meta({
      description:
        'The engine that extracted the text: `tesseract`, `tesseract.js`, or `pdf-text` if the text layer of the PDF was used on every page. Other values may be added.',
      examples: ['tesseract'],
    }),
    language: z
      .string()
      .meta({ description: 'The languages of the text, as Tesseract names them.', examples: ['eng', 'eng+deu'] }),
    text: z.string().meta({
      description: 'The original text. It never changes. A form feed (`\\f`) separates pages.',
      examples: [ORIGINAL_TEXT],
    }),
    revised_text: z
      .string()
      .nullable()
      .meta({ description: 'The newest revision; null until one is saved.', examples: [REVISED_TEXT, null] }),
    revised_at: timestamp
      .nullable()
      .meta({ description: 'The time when the newest revision was saved; null until one is saved.' }),
  })
  .meta({ id: 'OcrResult' });

export const anOcrResult: z.infer<typeof ocrResult> = {
  engine: 'tesseract',
  language: 'eng',
  text: ORIGINAL_TEXT,
  revised_text: null,
  revised_at: null,
};

export const aRevisedResult: z.infer<typeof ocrResult> = {
  ...anOcrResult,
  revised_text: REVISED_TEXT,
  revised_at: REVISED_AT,
};

export const presentOcr = ({ engine, language, text, revision }: OcrView): Answer<typeof ocrResult> => ({
  engine,
  language,
  text,
  revised_text: revision?.text ?? null,
  revised_at: instantOrNull(revision?.revisedAt),
});

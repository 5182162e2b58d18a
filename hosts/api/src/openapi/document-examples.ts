import type { z } from 'zod';
import type { documentSummary, ocrResult } from '../schemas/document-responses.ts';

export const ID = '019aa7b4-6d0e-7c3a-9f52-3b1e8d7c4a60';

export const aSummary: z.infer<typeof documentSummary> = {
  id: ID,
  title: 'Invoice of March',
  status: 'completed',
  received_at: '2026-11-21T09:30:12.345678+00:00',
  processed_at: '2026-11-21T09:30:15.104250+00:00',
};

export const anOcrResult: z.infer<typeof ocrResult> = {
  engine: 'tesseract',
  language: 'eng',
  text: 'Invoice No. 47ll\nNet amount: 120.00',
  revised_text: null,
  revised_at: null,
};

export const aRevisedResult: z.infer<typeof ocrResult> = {
  ...anOcrResult,
  revised_text: 'Invoice No. 4711\nNet amount: 120.00',
  revised_at: '2026-11-21T10:02:40.000731+00:00',
};

export const onePage = { limit: 50, offset: 0, total: 1 };

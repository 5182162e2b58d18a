import type { z } from 'zod';
import type { acceptedDocument, documentDetail, documentSummary, ocrResult } from '../schemas/document-responses.ts';

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

/** A document that waits to be read. */
export const anAcceptedDocument: z.infer<typeof acceptedDocument> = {
  document: { id: ID, status: 'queued', received_at: aSummary.received_at },
};

/** A document in each state. */
export const documents: Record<string, { summary: string; value: z.infer<typeof documentDetail> }> = {
  completed: {
    summary: 'Completed, without a revision',
    value: {
      document: aSummary,
      original_filename: 'invoice-march.pdf',
      content_type: 'application/pdf',
      error_message: null,
      ocr: anOcrResult,
    },
  },
  revised: {
    summary: 'Completed, with a revision',
    value: {
      document: aSummary,
      original_filename: 'invoice-march.pdf',
      content_type: 'application/pdf',
      error_message: null,
      ocr: aRevisedResult,
    },
  },
  processing: {
    summary: 'Still being read',
    value: {
      document: { ...aSummary, status: 'processing', processed_at: null },
      original_filename: 'invoice-march.pdf',
      content_type: 'application/pdf',
      error_message: null,
      ocr: null,
    },
  },
  failed: {
    summary: 'Failed',
    value: {
      document: { ...aSummary, status: 'failed' },
      original_filename: 'invoice-march.pdf',
      content_type: 'application/pdf',
      error_message: 'The PDF is protected by a password. Remove the protection and upload it again.',
      ocr: null,
    },
  },
};

/** A stream of events. */
export const EVENTS = `event: status
id: 2
data: {"id":"${ID}","status":"processing","pages_done":3,"pages_total":12}

event: status
id: 3
data: {"id":"${ID}","status":"completed","pages_done":12,"pages_total":12}

`;

import type { z } from 'zod';
import { EXAMPLE_ID } from '../http/openapi/formats.ts';
import type { acceptedDocument, documentSummary } from './document-schemas.ts';

export const aSummary: z.infer<typeof documentSummary> = {
  id: EXAMPLE_ID,
  title: 'Invoice of March',
  status: 'completed',
  received_at: '2026-11-21T09:30:12.345678+00:00',
  processed_at: '2026-11-21T09:30:15.104250+00:00',
};

export const onePage = { limit: 50, offset: 0, total: 1 };

export const anAcceptedDocument: z.infer<typeof acceptedDocument> = {
  document: { id: EXAMPLE_ID, status: 'queued', received_at: aSummary.received_at },
};

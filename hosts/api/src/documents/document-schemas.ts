import { DEFAULT_LIMIT, formatInstant, MAX_LIMIT, processedAtOf, type VisibleDocument } from '@palimpsest/core';
import { z } from 'zod';
import {
  asInteger,
  count,
  documentId,
  documentStatus,
  EXAMPLE_ID,
  timestamp,
  wholeNumber,
  type Answer,
} from '../http/openapi/formats.ts';

// Response objects are strict: a response has exactly the keys of its schema.

/**
 * The path of a document. It accepts every text, because the use cases refuse unknown ids with `DOCUMENT_NOT_FOUND`.
 */
export const documentPath = z.object({
  id: z.string().meta({
    description: 'The id of the document.',
    override: ({ jsonSchema }) => {
      Reflect.deleteProperty(jsonSchema, 'type');
      Object.assign(jsonSchema, { $ref: '#/components/schemas/Id' });
    },
    param: { example: EXAMPLE_ID },
  }),
});

export const pagingQuery = z.object({
  limit: wholeNumber(1, 'a whole number from 1 (more than 200 counts as 200)')
    .optional()
    .meta({
      description: `The maximum number of items. More than ${MAX_LIMIT} counts as ${MAX_LIMIT}; \`paging.limit\` states the value that was applied.`,
      override: asInteger({ minimum: 1, default: DEFAULT_LIMIT }),
      param: { example: DEFAULT_LIMIT },
    }),
  offset: wholeNumber(0, 'a whole number from 0')
    .optional()
    .meta({
      description: 'The number of items to skip.',
      override: asInteger({ minimum: 0, default: 0 }),
      param: { example: 0 },
    }),
});

export const paging = z
  .strictObject({
    limit: z
      .int()
      .min(1)
      .max(MAX_LIMIT)
      .meta({ description: 'The page size that was applied.', examples: [50] }),
    offset: count.meta({ description: 'The number of items that were skipped.', examples: [0] }),
    total: count.meta({ description: 'The total number of items.', examples: [1] }),
  })
  .meta({ id: 'Paging' });

const receivedAt = timestamp.meta({ description: 'The time when the upload was received.' });

export const acceptedDocument = z
  .strictObject({
    document: z.strictObject({ id: documentId, status: documentStatus, received_at: receivedAt }),
  })
  .meta({ id: 'AcceptedDocument' });

export const documentSummary = z
  .strictObject({
    id: documentId,
    title: z.string().meta({
      description: 'The title of the upload, or the file name without its extension.',
      examples: ['Invoice of March'],
    }),
    status: documentStatus,
    received_at: receivedAt,
    processed_at: timestamp.nullable().meta({ description: 'The time when processing ended; null until then.' }),
  })
  .meta({ id: 'DocumentSummary' });

export const instantOrNull = (instant: number | undefined): string | null =>
  instant === undefined ? null : formatInstant(instant);

export const presentAccepted = (
  document: Pick<VisibleDocument, 'id' | 'status' | 'receivedAt'>,
): Answer<typeof acceptedDocument> => ({
  document: { id: document.id, status: document.status, received_at: formatInstant(document.receivedAt) },
});

export const presentSummary = (document: VisibleDocument): Answer<typeof documentSummary> => ({
  id: document.id,
  title: document.title,
  status: document.status,
  received_at: formatInstant(document.receivedAt),
  processed_at: instantOrNull(processedAtOf(document)),
});

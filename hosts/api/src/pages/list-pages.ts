import type { PageWithoutWords } from '@palimpsest/core';
import { z } from 'zod';
import { documentPath } from '../documents/document-schemas.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import type { Answer } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { ORIGINAL_TEXT } from '../texts/ocr-result.ts';

const pixels = (example: number) =>
  z
    .int()
    .min(1)
    .meta({ description: 'The size of the upright page image in pixels.', examples: [example] });

const page = z
  .strictObject({
    number: z
      .int()
      .min(1)
      .meta({ description: 'From 1.', examples: [1] }),
    width: pixels(2480),
    height: pixels(3508),
    rotation: z.literal([0, 90, 180, 270]).meta({
      description: 'The angle in degrees by which the stored page was rotated clockwise to make it upright.',
      examples: [0],
    }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .meta({
        description: 'The mean confidence of the words, from 0 to 1; 0 for a page without words.',
        examples: [0.93],
      }),
    source: z
      .enum(['ocr', 'text_layer'])
      .meta({ description: 'Whether the text comes from OCR or from the text layer of the PDF.' }),
    text: z.string().meta({ description: 'The original text of the page.', examples: [ORIGINAL_TEXT] }),
  })
  .meta({ id: 'Page' });

const pageList = z.strictObject({ pages: z.array(page) }).meta({ id: 'PageList' });

const anExample: z.infer<typeof page> = {
  number: 1,
  width: 2480,
  height: 3508,
  rotation: 0,
  confidence: 0.93,
  source: 'ocr',
  text: ORIGINAL_TEXT,
};

const present = (given: PageWithoutWords): Answer<typeof page> => {
  const { number, width, height, rotation, confidence, source, text } = given;
  return { number, width, height, rotation, confidence, source, text };
};

export const listPages = defineEndpoint({
  method: 'get',
  path: '/v1/documents/{id}/pages',
  tag: 'Text',
  operationId: 'listPages',
  summary: 'List the pages',
  description: 'Each page with its original text and the source of this text.',
  request: { path: documentPath },
  responses: { 200: json(pageList, 'All pages, sorted by number.', { pages: [anExample] }) },
  refusals: ['DOCUMENT_NOT_COMPLETED', 'DOCUMENT_NOT_FOUND'],
  handler: async ({ path: { id }, actor, useCases }) => ({ pages: (await useCases.listPages(actor, id)).map(present) }),
});

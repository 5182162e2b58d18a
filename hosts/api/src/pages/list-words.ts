import type { Word } from '@palimpsest/core';
import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import type { Answer } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { pagePath } from './page-path.ts';

const word = z
  .strictObject({
    text: z.string().meta({ examples: ['Invoice'] }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'From 0 to 1.', examples: [0.93] }),
    bbox: z
      .array(z.number())
      .length(4)
      .meta({
        description:
          'Left, top, right and bottom in pixels of the page image, from its top left corner. Right and bottom are exclusive.',
        examples: [[212, 240, 398, 286]],
      }),
  })
  .meta({ id: 'Word' });

const wordList = z.strictObject({ words: z.array(word) }).meta({ id: 'WordList' });

const present = ({ text, confidence, bbox }: Word): Answer<typeof word> => ({ text, confidence, bbox });

export const listWords = defineEndpoint({
  method: 'get',
  path: '/v1/documents/{id}/pages/{number}/words',
  tag: 'Text',
  operationId: 'listWords',
  summary: 'List the words of a page',
  description: 'The words of the original text in reading order, with their positions on the page image.',
  request: { path: pagePath },
  responses: {
    200: json(wordList, 'All words of the page.', {
      words: [{ text: 'Invoice', confidence: 0.96, bbox: [212, 240, 398, 286] }],
    }),
  },
  refusals: ['DOCUMENT_NOT_COMPLETED', 'DOCUMENT_NOT_FOUND', 'PAGE_NOT_FOUND'],
  handler: async ({ path: { id, number }, actor, useCases }) => ({
    words: (await useCases.listWords(actor, id, number)).map(present),
  }),
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TextChange } from '@palimpsest/core';
import { z } from 'zod';
import { documentPath } from '../documents/document-schemas.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { asInteger, wholeNumber, type Answer } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { disconnectSignal, sendStream } from '../http/send-bytes.ts';

const revisionNumber = wholeNumber(0, 'the number of a revision, or 0 for the original text').optional();

const query = z.object({
  from: revisionNumber.meta({
    description: 'The number of the first revision; 0 is the original text.',
    override: asInteger({ minimum: 0, default: 0 }),
    param: { example: 0 },
  }),
  to: revisionNumber.meta({
    description: 'The number of the second revision. Default: the newest.',
    override: asInteger({ minimum: 0 }),
    param: { example: 1 },
  }),
});

const change = z
  .strictObject({
    op: z.enum(['equal', 'insert', 'delete']),
    text: z
      .string()
      .min(1)
      .meta({ examples: ['4711'] }),
  })
  .meta({
    id: 'Change',
    description:
      'A part of a text. All parts with `equal` and `delete` make the first text; all parts with `equal` and `insert` make the second one.',
  });

const changeList = z.strictObject({ changes: z.array(change) }).meta({ id: 'ChangeList' });

const anExample: z.infer<typeof changeList> = {
  changes: [
    { op: 'equal', text: 'Invoice No. ' },
    { op: 'delete', text: '47ll' },
    { op: 'insert', text: '4711' },
    { op: 'equal', text: '\nNet amount: 120.00' },
  ],
};

const present = ({ op, text }: TextChange): Answer<typeof change> => ({ op, text });

const CHUNK_LENGTH = 64 * 1024;

/** Writes the changes as JSON in chunks. Other requests run between two chunks. */
async function* toJson(changes: readonly TextChange[]): AsyncGenerator<string> {
  let chunk = '{"changes":[';
  for (const [i, each] of changes.entries()) {
    chunk += (i === 0 ? '' : ',') + JSON.stringify(present(each));
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
    await nextTurn();
  }
  yield `${chunk}]}`;
}

export const compareRevisions = defineEndpoint({
  method: 'get',
  path: '/v1/documents/{id}/revisions/diff',
  tag: 'Text',
  operationId: 'compareRevisions',
  summary: 'Compare two revisions',
  description:
    'The changes from one text to another, word by word. Without parameters, from the original text to the newest revision.',
  request: { path: documentPath, query },
  responses: { 200: json(changeList, 'The changes, in the order of the text.', anExample) },
  refusals: [
    'VALIDATION_ERROR',
    'DOCUMENT_NOT_COMPLETED',
    'OCR_RESULT_NOT_AVAILABLE',
    'DOCUMENT_NOT_FOUND',
    'REVISION_NOT_FOUND',
    'RATE_LIMITED',
  ],
  handler: async ({ path: { id }, query: { from = 0, to }, actor, useCases, req, res }) => {
    const changes = await useCases.diffRevisions(actor, id, from, to, disconnectSignal(res));
    res.type('json');
    await sendStream(req, res, () => toJson(changes));
  },
});

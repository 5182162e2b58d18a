import { formatInstant, type Revision } from '@palimpsest/core';
import { z } from 'zod';
import { documentPath } from '../documents/document-schemas.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { timestamp, type Answer } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { sendStream } from '../http/send-bytes.ts';
import { REVISED_AT, REVISED_TEXT } from './ocr-result.ts';

const revision = z
  .strictObject({
    number: z
      .int()
      .min(1)
      .meta({ description: 'From 1, without gaps.', examples: [1] }),
    revised_at: timestamp.meta({ description: 'The time when the revision was saved.' }),
    text: z.string().meta({ examples: [REVISED_TEXT] }),
  })
  .meta({ id: 'Revision' });

const revisionList = z.strictObject({ items: z.array(revision) }).meta({ id: 'RevisionList' });

const present = ({ number, revisedAt, text }: Revision): Answer<typeof revision> => ({
  number,
  revised_at: formatInstant(revisedAt),
  text,
});

/** Writes the list as JSON, one revision at a time, because all revisions together may not fit into memory. */
async function* toJson(revisions: AsyncIterable<Revision>): AsyncGenerator<string> {
  yield '{"items":[';
  let separator = '';
  for await (const each of revisions) {
    yield separator + JSON.stringify(present(each));
    separator = ',';
  }
  yield ']}';
}

export const listRevisions = defineEndpoint({
  method: 'get',
  path: '/v1/documents/{id}/revisions',
  tag: 'Text',
  operationId: 'listRevisions',
  summary: 'List the revisions',
  description: 'All saved revisions, newest first.',
  request: { path: documentPath },
  responses: {
    200: json(revisionList, 'All revisions.', { items: [{ number: 1, revised_at: REVISED_AT, text: REVISED_TEXT }] }),
  },
  refusals: ['DOCUMENT_NOT_COMPLETED', 'DOCUMENT_NOT_FOUND'],
  handler: async ({ path: { id }, actor, useCases, req, res }) => {
    const revisions = await useCases.listRevisions(actor, id);
    res.type('json');
    await sendStream(req, res, () => toJson(revisions));
  },
});

import { z } from 'zod';
import { documentPath } from '../documents/document-schemas.ts';
import { jsonBody } from '../http/bodies/json-body.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { entityTag, expectedVersions } from '../http/entity-tags.ts';
import { requestHeader } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { aRevisedResult, ocrResult, presentOcr, REVISED_TEXT } from './ocr-result.ts';

// The text may have 5 MiB. JSON escapes can make it more than twice as long.
const LIMIT_BYTES = 16 * 1024 * 1024;

const revision = z
  .object({
    revised_text: z.string('a text (it may be empty)').meta({
      description:
        'The whole corrected text. It may be empty and may have up to 5 MiB in UTF-8, without NUL characters and lone surrogates. A form feed (`\\f`) separates pages, as in the original.',
      examples: [REVISED_TEXT],
    }),
  })
  .meta({ id: 'RevisionRequest' });

const savedRevision = z
  .strictObject({ ocr: ocrResult, message: z.literal('Revision saved.') })
  .meta({ id: 'SavedRevision' });

export const reviseText = defineEndpoint({
  method: 'put',
  path: '/v1/documents/{id}/ocr',
  tag: 'Text',
  operationId: 'reviseText',
  summary: 'Save a revision of the text',
  description:
    'Stores a corrected text beside the original one, which never changes. The service keeps every revision; exports, e-mails and the search use the newest. The JSON body may have up to 16 MiB.',
  request: {
    path: documentPath,
    headers: z.object({
      'If-Match': requestHeader(
        'The `ETag` of the document as the client loaded it: if the document has changed since then, the service saves nothing and answers 412. Without it, the last write wins.',
        '"5-2"',
      ),
    }),
    body: jsonBody(revision, { revised_text: REVISED_TEXT }, { limitBytes: LIMIT_BYTES }),
  },
  responses: {
    200: json(
      savedRevision,
      'The revision is saved.',
      { ocr: aRevisedResult, message: 'Revision saved.' },
      { always: ['ETag'] },
    ),
  },
  refusals: ['DOCUMENT_NOT_COMPLETED', 'OCR_RESULT_NOT_AVAILABLE', 'DOCUMENT_NOT_FOUND', 'REVISION_CONFLICT'],
  handler: async ({ path: { id }, headers, body, actor, useCases, res }) => {
    const versions = expectedVersions(headers['If-Match']);
    const { ocr, version } = await useCases.reviseOcr(actor, id, body.revised_text, versions);
    res.set('ETag', entityTag(version));
    return { ocr: presentOcr(ocr), message: 'Revision saved.' };
  },
});

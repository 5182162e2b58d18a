import * as contentDisposition from 'content-disposition';
import { z } from 'zod';
import { documentPath } from '../documents/document-schemas.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { isNotModified } from '../http/entity-tags.ts';
import { ifNoneMatch } from '../http/openapi/formats.ts';
import { file, notModified } from '../http/openapi/responses.ts';
import { disconnectSignal, sendBytes } from '../http/send-bytes.ts';

export const getSearchablePdf = defineEndpoint({
  method: 'get',
  path: '/v1/documents/{id}/searchable-pdf',
  tag: 'Text',
  operationId: 'getSearchablePdf',
  summary: 'Get a searchable PDF',
  description:
    'The original pages with an invisible layer of the original text. Readers can find, select and copy each word at its position.',
  request: { path: documentPath, headers: z.object(ifNoneMatch) },
  responses: {
    200: file(['application/pdf'], 'The file.', {
      always: ['Content-Disposition', 'ETag'],
      sometimes: ['Content-Length'],
    }),
    304: notModified(),
  },
  refusals: ['DOCUMENT_NOT_COMPLETED', 'FILE_NOT_STORED', 'DOCUMENT_NOT_FOUND', 'PAGE_NOT_RENDERABLE', 'RATE_LIMITED'],
  handler: async ({ path: { id }, actor, useCases, req, res }) => {
    const pdf = await useCases.makeSearchablePdf(actor, id);
    if (isNotModified(req, res, pdf.version)) return;
    res.set({ 'Content-Type': 'application/pdf', 'Content-Disposition': contentDisposition.create(pdf.filename) });
    await sendBytes(req, res, () => pdf.write(disconnectSignal(res)));
  },
});

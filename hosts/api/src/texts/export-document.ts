import { exportFormats } from '@palimpsest/core';
import * as contentDisposition from 'content-disposition';
import { z } from 'zod';
import { documentPath } from '../documents/document-schemas.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { file } from '../http/openapi/responses.ts';
import { sendStream } from '../http/send-bytes.ts';

const OFFICE_TYPES = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];

const query = z.object({
  format: z.enum(exportFormats, { error: 'docx or xlsx' }).meta({
    description: '`docx`: Word; `xlsx`: Excel.',
    param: { example: 'docx' },
  }),
  formatted: z
    .enum(['true', 'false'], { error: 'true or false' })
    .optional()
    .meta({
      description:
        '`true`: the title is a heading above the text, and pages and paragraphs are separate. `false`: only the text.',
      override: { type: 'string', default: 'true' },
      param: { example: 'true' },
    }),
});

export const exportDocument = defineEndpoint({
  method: 'get',
  path: '/v1/documents/{id}/export',
  tag: 'Text',
  operationId: 'exportDocument',
  summary: 'Export the text',
  description:
    'The current text (the revision if there is one) as a Word or Excel file. An Excel file has one row for each line of the text, with the page number.',
  request: { path: documentPath, query },
  responses: { 200: file(OFFICE_TYPES, 'The file.', { always: ['Content-Disposition'] }) },
  refusals: ['VALIDATION_ERROR', 'DOCUMENT_NOT_COMPLETED', 'OCR_RESULT_NOT_AVAILABLE', 'DOCUMENT_NOT_FOUND'],
  handler: async ({ path: { id }, query: { format, formatted }, actor, useCases, req, res }) => {
    const { mediaType, filename, bytes } = await useCases.exportDocument(actor, id, format, formatted !== 'false');
    res.set({ 'Content-Type': mediaType, 'Content-Disposition': contentDisposition.create(filename) });
    await sendStream(req, res, bytes);
  },
});

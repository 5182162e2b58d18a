import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { idempotencyKey, message } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { requestSource } from '../http/rate-limit-headers.ts';
import { documentPath } from './document-schemas.ts';

const SENT = { message: 'Document sent to your email.' };

export const emailDocument = defineEndpoint({
  method: 'post',
  path: '/v1/documents/{id}/email',
  tag: 'Documents',
  operationId: 'emailDocument',
  summary: 'Send a document by e-mail',
  description:
    'Sends the document to the address of the account, with the original file as an attachment and a preview of the current text. The service sends the e-mail after the response. The request has no body.',
  rateLimit: { limit: '10 per minute and 50 per hour', headers: 'sometimes' },
  request: { path: documentPath, headers: z.object(idempotencyKey) },
  responses: { 202: json(message, 'The e-mail is queued.', SENT) },
  refusals: [
    'VALIDATION_ERROR',
    'DOCUMENT_NOT_COMPLETED',
    'FILE_NOT_STORED',
    'DOCUMENT_NOT_FOUND',
    'IDEMPOTENCY_KEY_IN_USE',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  handler: async ({ path: { id }, headers, actor, useCases, req, res }) => {
    await useCases.emailDocument(actor, id, requestSource(req, res), headers['Idempotency-Key']);
    return SENT;
  },
});

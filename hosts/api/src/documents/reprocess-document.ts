import { defineEndpoint } from '../http/endpoint.ts';
import { json } from '../http/openapi/responses.ts';
import { anAcceptedDocument } from './document-examples.ts';
import { acceptedDocument, documentPath, presentAccepted } from './document-schemas.ts';

export const reprocessDocument = defineEndpoint({
  method: 'post',
  path: '/v1/documents/{id}/reprocess',
  tag: 'Documents',
  operationId: 'reprocessDocument',
  summary: 'Process a failed document again',
  description: 'Puts a document with the status `failed` back into the queue. The request has no body.',
  request: { path: documentPath },
  responses: { 202: json(acceptedDocument, 'The document is in the queue again.', anAcceptedDocument) },
  refusals: ['DOCUMENT_NOT_FOUND', 'DOCUMENT_NOT_FAILED'],
  handler: async ({ path: { id }, actor, useCases }) => presentAccepted(await useCases.reprocessDocument(actor, id)),
});

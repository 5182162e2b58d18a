import { defineEndpoint } from '../http/endpoint.ts';
import { empty } from '../http/openapi/responses.ts';
import { documentPath } from './document-schemas.ts';

export const deleteDocument = defineEndpoint({
  method: 'delete',
  path: '/v1/documents/{id}',
  tag: 'Documents',
  operationId: 'deleteDocument',
  summary: 'Delete a document',
  description: 'Deletes the document, its text with all revisions, and the stored file. It works in every status.',
  request: { path: documentPath },
  responses: { 204: empty('The document is deleted.') },
  refusals: ['DOCUMENT_NOT_FOUND'],
  handler: ({ path: { id }, actor, useCases }) => useCases.deleteDocument(actor, id),
});

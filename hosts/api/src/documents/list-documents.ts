import { pageRequest } from '@palimpsest/core';
import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { json } from '../http/openapi/responses.ts';
import { aSummary, onePage } from './document-examples.ts';
import { documentSummary, paging, pagingQuery, presentSummary } from './document-schemas.ts';

const documentList = z.strictObject({ items: z.array(documentSummary), paging }).meta({ id: 'DocumentList' });

export const listDocuments = defineEndpoint({
  method: 'get',
  path: '/v1/documents',
  tag: 'Documents',
  operationId: 'listDocuments',
  summary: 'List documents',
  description:
    'The documents of the account, newest first. Documents with the same `received_at` are sorted by `id`, descending.',
  request: { query: pagingQuery },
  responses: { 200: json(documentList, 'One page of the list.', { items: [aSummary], paging: onePage }) },
  refusals: ['VALIDATION_ERROR'],
  handler: async ({ query, actor, useCases }) => {
    const { limit, offset } = pageRequest(query.limit, query.offset);
    const { items, total } = await useCases.listDocuments(actor, { limit, offset });
    return { items: items.map(presentSummary), paging: { limit, offset, total } };
  },
});

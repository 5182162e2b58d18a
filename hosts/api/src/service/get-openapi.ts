import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { isNotModified } from '../http/entity-tags.ts';
import { ifNoneMatch } from '../http/openapi/formats.ts';
import { notModified } from '../http/openapi/responses.ts';

const MAX_AGE_S = 300;

export const getOpenApi = defineEndpoint({
  method: 'get',
  path: '/openapi.json',
  trailingSlash: 'refused',
  tag: 'Service',
  operationId: 'getDescription',
  summary: 'Get this OpenAPI document',
  access: 'public',
  request: { headers: z.object(ifNoneMatch) },
  responses: {
    200: {
      description: 'The API as an OpenAPI 3.1 document.',
      headers: { always: ['ETag'], isCacheable: true },
      content: { 'application/json': { schema: { type: 'object', required: ['openapi', 'info', 'paths'] } } },
    },
    304: notModified({ isCacheable: true }),
  },
  handler: ({ service: { openApi }, req, res }) => {
    res.set('Cache-Control', `public, max-age=${MAX_AGE_S}`);
    if (!isNotModified(req, res, openApi.version)) res.type('json').send(openApi.json);
  },
});

import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { Endpoint } from '../endpoint.ts';
import { headersOf, type ResponseHeaders } from './headers.ts';
import { refusalsOf } from './refusals.ts';
import type { ResponseSpec } from './responses.ts';

const LIMIT_HEADERS = ['RateLimit-Policy', 'RateLimit'] as const;

const withLimitHeaders = (headers: ResponseHeaders, rateLimit: Endpoint['rateLimit']): ResponseHeaders => {
  if (rateLimit === undefined || rateLimit.headers === 'never') return headers;
  const { headers: presence } = rateLimit;
  return { ...headers, [presence]: [...(headers[presence] ?? []), ...LIMIT_HEADERS] };
};

const responseOf = (
  { description, headers, content }: ResponseSpec<unknown>,
  rateLimit: Endpoint['rateLimit'],
): ZodOpenApiResponseObject => ({
  description,
  headers: headersOf(withLimitHeaders(headers, rateLimit)),
  ...(content && { content }),
});

/** The OpenAPI operation of an endpoint. */
export const operationOf = (endpoint: Endpoint): ZodOpenApiOperationObject => {
  const { tag, operationId, summary, access, request, responses, rateLimit } = endpoint;
  const { path, query, headers: header, body } = request;
  const description = [endpoint.description, rateLimit && `Limit: ${rateLimit.limit}.`]
    .filter((text) => text)
    .join('\n\n');
  return {
    tags: [tag],
    ...(access === 'public' && { security: [] }),
    operationId,
    summary,
    ...(description !== '' && { description }),
    ...((path ?? query ?? header) && {
      requestParams: { ...(path && { path }), ...(query && { query }), ...(header && { header }) },
    }),
    ...(body && { requestBody: body.openApi }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, responseOf(response, rateLimit)]),
      ),
      ...refusalsOf(endpoint),
    },
  };
};

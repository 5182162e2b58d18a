import { z } from 'zod';
import { jsonBody } from '../http/bodies/json-body.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { json } from '../http/openapi/responses.ts';
import { presentTokens, REFRESH_TOKEN, someTokens, tokenField, tokens } from './account-schemas.ts';

const refreshRequest = z
  .object({
    refresh_token: tokenField.meta({
      description: 'The newest refresh token of the session.',
      examples: [REFRESH_TOKEN],
    }),
  })
  .meta({ id: 'RefreshRequest' });

export const refreshTokens = defineEndpoint({
  method: 'post',
  path: '/v1/auth/refresh',
  tag: 'Account',
  operationId: 'refreshTokens',
  summary: 'Get new tokens',
  description:
    'Exchanges the refresh token for new tokens; the request needs no access token. Each refresh token is valid once, for 30 days. A second use ends the whole session, because the token may be stolen. A repeated request within 10 seconds also gets valid tokens.',
  access: 'public',
  request: { body: jsonBody(refreshRequest, { refresh_token: REFRESH_TOKEN }) },
  responses: { 200: json(tokens, 'The next tokens of the session.', someTokens) },
  refusals: ['INVALID_REFRESH_TOKEN'],
  handler: async ({ body, useCases }) => presentTokens(await useCases.refreshSession(body.refresh_token)),
});

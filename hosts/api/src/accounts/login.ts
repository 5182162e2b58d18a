import { z } from 'zod';
import { jsonBody } from '../http/bodies/json-body.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { json } from '../http/openapi/responses.ts';
import { requestSource } from '../http/rate-limit-headers.ts';
import {
  currentPasswordField,
  EMAIL,
  emailField,
  PASSWORD,
  presentTokens,
  someTokens,
  tokens,
} from './account-schemas.ts';

const credentials = z.object({ email: emailField, password: currentPasswordField }).meta({ id: 'Credentials' });

export const login = defineEndpoint({
  method: 'post',
  path: '/v1/auth/login',
  tag: 'Account',
  operationId: 'login',
  summary: 'Sign in',
  description: 'Starts a session. The access token is valid for one hour; the refresh token gets new tokens.',
  rateLimit: {
    limit:
      'three failed attempts per e-mail address and client address cause no block. After each further failure the next attempt is blocked for 15, 30, 60, 120, 240 and then 300 seconds; a blocked attempt fails even with the right password. The count of failures is reset by a successful login or after 24 hours. In addition, 100 failures per hour and client address and 50 per hour and e-mail address',
    headers: 'always',
  },
  access: 'public',
  request: { body: jsonBody(credentials, { email: EMAIL, password: PASSWORD }) },
  responses: { 200: json(tokens, 'The tokens of the new session.', someTokens) },
  refusals: ['INVALID_CREDENTIALS'],
  handler: async ({ body, useCases, req, res }) => presentTokens(await useCases.signIn(body, requestSource(req, res))),
});

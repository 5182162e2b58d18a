import { z } from 'zod';
import { jsonBody } from '../http/bodies/json-body.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { message } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { MAILED_TOKEN, mailedTokenField } from './account-schemas.ts';

const VERIFIED = { message: 'Your email address is verified.' };

const mailedToken = z.object({ token: mailedTokenField }).meta({ id: 'MailedToken' });

export const verifyEmail = defineEndpoint({
  method: 'post',
  path: '/v1/auth/verify-email',
  tag: 'Account',
  operationId: 'verifyEmail',
  summary: 'Verify the e-mail address',
  description:
    'Uses the token of the link in the e-mail after registration. A token is valid once, for 24 hours; a newer one replaces it.',
  access: 'public',
  request: { body: jsonBody(mailedToken, { token: MAILED_TOKEN }) },
  responses: { 200: json(message, 'The address is verified.', VERIFIED) },
  refusals: ['INVALID_OR_EXPIRED_TOKEN'],
  handler: async ({ body, useCases }) => {
    await useCases.verifyEmail(body.token);
    return VERIFIED;
  },
});

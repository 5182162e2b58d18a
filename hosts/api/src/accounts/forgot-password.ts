import { z } from 'zod';
import { jsonBody } from '../http/bodies/json-body.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { message } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { requestSource } from '../http/rate-limit-headers.ts';
import { EMAIL, emailField } from './account-schemas.ts';

const ACCEPTED = { message: 'If this address has an account, we send it a link to choose a new password.' };

const emailAddress = z.object({ email: emailField }).meta({ id: 'EmailAddress' });

export const forgotPassword = defineEndpoint({
  method: 'post',
  path: '/v1/auth/forgot-password',
  tag: 'Account',
  operationId: 'forgotPassword',
  summary: 'Ask for a new password',
  description:
    'Sends a link to choose a new password, if the address has an account. The response and its time are the same for every address.',
  rateLimit: {
    limit: '1 per minute and 5 per hour for each e-mail address, 20 per hour for each client address',
    headers: 'always',
  },
  access: 'public',
  request: { body: jsonBody(emailAddress, { email: EMAIL }) },
  responses: { 202: json(message, 'The request is accepted.', ACCEPTED) },
  handler: async ({ body, useCases, req, res }) => {
    await useCases.forgotPassword(body.email, requestSource(req, res));
    return ACCEPTED;
  },
});

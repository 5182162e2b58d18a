import { z } from 'zod';
import { jsonBody } from '../http/bodies/json-body.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { message } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { requestSource } from '../http/rate-limit-headers.ts';
import { EMAIL, emailField, newPasswordField, PASSWORD } from './account-schemas.ts';

const REGISTERED = { message: 'Check your email to verify your account.' };

const registration = z.object({ email: emailField, password: newPasswordField }).meta({ id: 'Registration' });

export const register = defineEndpoint({
  method: 'post',
  path: '/v1/auth/register',
  tag: 'Account',
  operationId: 'register',
  summary: 'Register',
  description:
    'Creates an account, which can sign in at once, and sends a link to verify the address. The response and its time are the same if the address has an account already; then its owner gets an e-mail.',
  rateLimit: { limit: '5 per hour and client address; invalid requests do not count', headers: 'always' },
  access: 'public',
  request: { body: jsonBody(registration, { email: EMAIL, password: PASSWORD }) },
  responses: { 202: json(message, 'The registration is accepted.', REGISTERED) },
  handler: async ({ body, useCases, req, res }) => {
    await useCases.registerAccount(body, requestSource(req, res));
    return REGISTERED;
  },
});

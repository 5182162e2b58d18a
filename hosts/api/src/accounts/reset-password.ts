import { z } from 'zod';
import { jsonBody } from '../http/bodies/json-body.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { message } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { MAILED_TOKEN, mailedTokenField, newPasswordField, PASSWORD } from './account-schemas.ts';

const RESET = { message: 'Your password is changed. Sign in with the new one.' };

const passwordReset = z.object({ token: mailedTokenField, password: newPasswordField }).meta({ id: 'PasswordReset' });

export const resetPassword = defineEndpoint({
  method: 'post',
  path: '/v1/auth/reset-password',
  tag: 'Account',
  operationId: 'resetPassword',
  summary: 'Choose a new password',
  description:
    'Uses the token of the link in the e-mail. Only the newest token is valid, once, for one hour; a refused password does not use it up. The service ends all sessions of the account and informs its owner by e-mail.',
  access: 'public',
  request: { body: jsonBody(passwordReset, { token: MAILED_TOKEN, password: PASSWORD }) },
  responses: { 200: json(message, 'The password is changed.', RESET) },
  refusals: ['INVALID_OR_EXPIRED_TOKEN'],
  handler: async ({ body, useCases }) => {
    await useCases.resetPassword(body);
    return RESET;
  },
});

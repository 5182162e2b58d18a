import { z } from 'zod';
import { jsonBody } from '../http/bodies/json-body.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { message } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { requestSource } from '../http/rate-limit-headers.ts';
import { currentPasswordField, newPasswordField, PASSWORD } from './account-schemas.ts';

const CHANGED = { message: 'Your password is changed. All other sessions were ended.' };

const passwordChange = z
  .object({ current_password: currentPasswordField, password: newPasswordField })
  .meta({ id: 'PasswordChange' });

export const changePassword = defineEndpoint({
  method: 'post',
  path: '/v1/auth/change-password',
  tag: 'Account',
  operationId: 'changePassword',
  summary: 'Change the password',
  description: 'Ends all other sessions of the account.',
  rateLimit: { limit: 'wrong passwords count as failed logins', headers: 'sometimes' },
  request: { body: jsonBody(passwordChange, { current_password: PASSWORD, password: 'a better one, and longer' }) },
  responses: { 200: json(message, 'The password is changed.', CHANGED) },
  refusals: ['INVALID_CREDENTIALS'],
  handler: async ({ body: { current_password: currentPassword, password }, actor, useCases, req, res }) => {
    await useCases.changePassword(actor, { currentPassword, password }, requestSource(req, res));
    return CHANGED;
  },
});

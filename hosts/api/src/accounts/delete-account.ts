import { z } from 'zod';
import { jsonBody } from '../http/bodies/json-body.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { empty } from '../http/openapi/responses.ts';
import { requestSource } from '../http/rate-limit-headers.ts';
import { currentPasswordField, PASSWORD } from './account-schemas.ts';

const passwordConfirmation = z.object({ password: currentPasswordField }).meta({ id: 'PasswordConfirmation' });

export const deleteAccount = defineEndpoint({
  method: 'delete',
  path: '/v1/auth/me',
  tag: 'Account',
  operationId: 'deleteAccount',
  summary: 'Delete the account',
  description: 'Deletes the account with all its documents and files. The request must confirm the password.',
  rateLimit: { limit: 'wrong passwords count as failed logins', headers: 'sometimes' },
  request: { body: jsonBody(passwordConfirmation, { password: PASSWORD }) },
  responses: { 204: empty('The account is deleted.') },
  refusals: ['INVALID_CREDENTIALS'],
  handler: ({ body, actor, useCases, req, res }) =>
    useCases.closeAccount(actor, body.password, requestSource(req, res)),
});

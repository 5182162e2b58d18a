import { z } from 'zod';
import { jsonBody } from '../http/bodies/json-body.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { empty } from '../http/openapi/responses.ts';

const logoutRequest = z
  .object({
    all: z
      .boolean('true or false')
      .optional()
      .meta({
        description: '`true` ends all sessions of the account on every device, `false` only this one.',
        examples: [false],
        override: { default: false },
      }),
  })
  .meta({ id: 'LogoutRequest' })
  .optional();

export const logout = defineEndpoint({
  method: 'post',
  path: '/v1/auth/logout',
  tag: 'Account',
  operationId: 'logout',
  summary: 'Log out',
  description:
    'Ends the session of the access token, or all sessions of the account. Their access and refresh tokens stop working at once.',
  request: { body: jsonBody(logoutRequest, { all: false }) },
  responses: { 204: empty('The session has ended.') },
  handler: ({ body, actor, useCases }) => useCases.signOut(actor, { all: body?.all ?? false }),
});

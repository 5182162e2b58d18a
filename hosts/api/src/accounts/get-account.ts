import { formatInstant } from '@palimpsest/core';
import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { documentId, timestamp } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { EMAIL } from './account-schemas.ts';

const account = z
  .strictObject({
    user: z.strictObject({
      id: documentId,
      email: z.string().meta({ examples: [EMAIL] }),
      email_verified: z
        .boolean()
        .meta({ description: 'Whether the owner used the verification link.', examples: [true] }),
      created_at: timestamp,
    }),
  })
  .meta({ id: 'Account' });

const anExample: z.infer<typeof account> = {
  user: {
    id: '019aa7b0-1c2d-7e4f-8a5b-6c7d8e9f0a1b',
    email: EMAIL,
    email_verified: true,
    created_at: '2026-11-20T16:04:55.001200+00:00',
  },
};

export const getAccount = defineEndpoint({
  method: 'get',
  path: '/v1/auth/me',
  tag: 'Account',
  operationId: 'getAccount',
  summary: 'Get the account',
  responses: { 200: json(account, 'The account.', anExample) },
  handler: async ({ actor, useCases }) => {
    const { id, email, emailVerified, createdAt } = await useCases.findOwnAccount(actor);
    return { user: { id, email, email_verified: emailVerified, created_at: formatInstant(createdAt) } };
  },
});

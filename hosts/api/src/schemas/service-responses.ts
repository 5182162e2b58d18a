import { z } from 'zod';
import { publicCodes } from './error-codes.ts';
import { documentId, timestamp, type Answer } from './formats.ts';

// What is answered about accounts, about the service itself, and where something is refused.

export const tokens = z
  .strictObject({
    access_token: z.string().meta({
      description: 'A JWT, to be sent as `Authorization: Bearer <access_token>`.',
      examples: ['eyJhbGciOiJIUzI1NiJ9.e30.c2ln'],
    }),
    refresh_token: z.string().meta({
      description: 'Gets the next tokens, once, within 30 days.',
      examples: ['pR5nW8yZ1uV4tQ7sX0cB3mK6jH9gF2dA-LeOiNbTzYw'],
    }),
    token_type: z.literal('Bearer'),
    expires_in: z
      .int()
      .min(1)
      .meta({ description: 'For how many seconds the access token is good.', examples: [3600] }),
  })
  .meta({ id: 'Tokens' });

export const account = z
  .strictObject({
    user: z.strictObject({
      id: documentId,
      email: z.string().meta({ examples: ['ada@example.org'] }),
      email_verified: z
        .boolean()
        .meta({ description: 'Whether the link that was mailed to the address was used.', examples: [true] }),
      created_at: timestamp,
    }),
  })
  .meta({ id: 'Account' });

export const message = z
  .strictObject({
    message: z.string().meta({ description: 'A sentence for people.', examples: ['Document sent to your email.'] }),
  })
  .meta({ id: 'Message' });

export const errorObject = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(publicCodes).meta({ description: 'For programs. Codes never change.' }),
      message: z
        .string()
        .min(1)
        .meta({ description: 'For people: what is wrong and what to do. Messages may change.' }),
    }),
  })
  .meta({ id: 'Error', description: 'Every error has this form and no other.' });

export const alive = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Alive' });
export const ready = z.strictObject({ status: z.literal('ready') }).meta({ id: 'Ready' });

export type Tokens = Answer<typeof tokens>;
export type AccountObject = Answer<typeof account>;
export type MessageObject = Answer<typeof message>;
export type ErrorObject = Answer<typeof errorObject>;

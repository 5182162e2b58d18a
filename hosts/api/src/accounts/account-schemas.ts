import type { TokenPair } from '@palimpsest/core';
import { z } from 'zod';
import type { Answer } from '../http/openapi/formats.ts';

// The core decides which passwords and addresses it accepts. These schemas accept more than the core, and `override`
// describes the rules of the core in the OpenAPI document. An error text here completes the message "<field>: give …".

export const EMAIL = 'ada@example.org';
export const PASSWORD = 'correct horse battery staple';
export const MAILED_TOKEN = '3q2-7wX0mZJ8vQ4tYbN1cA6sRkLdPfHuEoIyGjTzWxU';
export const REFRESH_TOKEN = 'pR5nW8yZ1uV4tQ7sX0cB3mK6jH9gF2dA-LeOiNbTzYw';

export const emailField = z
  .string('an e-mail address')
  .max(1000, 'an e-mail address')
  .meta({
    description: 'One plain e-mail address. Upper and lower case are the same.',
    examples: [EMAIL],
    override: { format: 'email', maxLength: 254 },
  });

const passwordField = z.string('a text of 8 to 256 characters').max(100_000, 'a text of 8 to 256 characters');

export const newPasswordField = passwordField.meta({
  description: 'Any Unicode text; the service does not trim it. The most common passwords are refused.',
  examples: [PASSWORD],
  override: { format: 'password', minLength: 8, maxLength: 256 },
});

export const currentPasswordField = passwordField.meta({
  description: 'The password of the account.',
  examples: [PASSWORD],
  override: { format: 'password', maxLength: 256 },
});

export const tokenField = z
  .string('the token without changes')
  .min(1, 'the token without changes')
  .max(1000, 'the token without changes');

export const mailedTokenField = tokenField.meta({
  description: 'The token of the link in the e-mail.',
  examples: [MAILED_TOKEN],
});

export const tokens = z
  .strictObject({
    access_token: z.string().meta({
      description: 'A JWT. Send it as `Authorization: Bearer <access_token>`.',
      examples: ['eyJhbGciOiJIUzI1NiJ9.e30.c2ln'],
    }),
    refresh_token: z.string().meta({
      description: 'Exchange it for new tokens: once, within 30 days.',
      examples: [REFRESH_TOKEN],
    }),
    token_type: z.literal('Bearer'),
    expires_in: z
      .int()
      .min(1)
      .meta({ description: 'The lifetime of the access token in seconds.', examples: [3600] }),
  })
  .meta({ id: 'Tokens' });

export const someTokens: z.infer<typeof tokens> = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  refresh_token: REFRESH_TOKEN,
  token_type: 'Bearer',
  expires_in: 3600,
};

export const presentTokens = ({ accessToken, refreshToken, expiresInS }: TokenPair): Answer<typeof tokens> => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: 'Bearer',
  expires_in: expiresInS,
});

import type { ZodOpenApiPathsObject } from 'zod-openapi';
import {
  credentials,
  emailAlone,
  logout,
  mailedToken,
  passwordAlone,
  passwordChange,
  passwordReset,
  refresh,
  registration,
} from '../schemas/requests.ts';
import { account, message, tokens } from '../schemas/service-responses.ts';
import { empty, json, jsonBody } from './answers.ts';
import { ofJsonBody, openRefusals, refusals } from './refusals.ts';

const EMAIL = 'ada@example.org';
const PASSWORD = 'correct horse battery staple';
const MAILED_TOKEN = '3q2-7wX0mZJ8vQ4tYbN1cA6sRkLdPfHuEoIyGjTzWxU';
const REFRESH_TOKEN = 'pR5nW8yZ1uV4tQ7sX0cB3mK6jH9gF2dA-LeOiNbTzYw';

const someTokens = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  refresh_token: REFRESH_TOKEN,
  token_type: 'Bearer',
  expires_in: 3600,
} as const;

const limits = { always: ['RateLimit-Policy', 'RateLimit'] } as const;
const tags = ['Account'];
const open = { security: [] };

/** The operations below `/v1/auth`. */
export const accountPaths: ZodOpenApiPathsObject = {
  '/v1/auth/register': {
    post: {
      tags,
      ...open,
      operationId: 'register',
      summary: 'Register',
      description:
        'Makes an account, which can sign in at once, and mails a link to verify the address. The answer is the same, in about the same time, whether or not the address is taken; the owner of a taken one is told by e-mail.\n\nLimit: 5 in an hour per client address; requests that are not valid do not count.',
      requestBody: jsonBody(registration, { email: EMAIL, password: PASSWORD }),
      responses: {
        '202': json(message, 'Accepted.', { message: 'Check your email to verify your account.' }, limits),
        ...openRefusals(...ofJsonBody, 'RATE_LIMITED'),
      },
    },
  },
  '/v1/auth/login': {
    post: {
      tags,
      ...open,
      operationId: 'login',
      summary: 'Log in',
      description:
        'Begins a session. The access token is good for an hour; the refresh token gets the next one.\n\nLimit: three failed attempts are free for an e-mail address from one client address; after that the next one is let through 15 seconds after the last failure, then 30, 60, 120, 240 and at most 300. Until then even the right password is refused. A success forgets the failures, and so do 24 hours. Beside that, 100 failures in an hour per client address and 50 per e-mail address.',
      requestBody: jsonBody(credentials, { email: EMAIL, password: PASSWORD }),
      responses: {
        '200': json(tokens, 'The tokens of the new session.', someTokens, limits),
        ...openRefusals(...ofJsonBody, 'INVALID_CREDENTIALS', 'RATE_LIMITED'),
      },
    },
  },
  '/v1/auth/refresh': {
    post: {
      tags,
      ...open,
      operationId: 'refreshTokens',
      summary: 'Get new tokens',
      description:
        'Trades the refresh token for new tokens; no access token is needed. Each refresh token is good once, for 30 days. One that is used again ends the whole session, as it may be stolen; a repeat within 10 seconds is forgiven and gets tokens that work.',
      requestBody: jsonBody(refresh, { refresh_token: REFRESH_TOKEN }),
      responses: {
        '200': json(tokens, 'The next tokens of the session.', someTokens),
        ...openRefusals(...ofJsonBody, 'INVALID_REFRESH_TOKEN'),
      },
    },
  },
  '/v1/auth/logout': {
    post: {
      tags,
      operationId: 'logout',
      summary: 'Log out',
      description:
        'Ends the session of the token, or all sessions of the account. Their access and refresh tokens stop working at once.',
      requestBody: jsonBody(logout, { all: false }, false),
      responses: { '204': empty('The session is ended.'), ...refusals(...ofJsonBody) },
    },
  },
  '/v1/auth/verify-email': {
    post: {
      tags,
      ...open,
      operationId: 'verifyEmail',
      summary: 'Verify the e-mail address',
      description:
        'Uses the token of the link that was mailed at the registration. A token is good once, for 24 hours; a newer one replaces it.',
      requestBody: jsonBody(mailedToken, { token: MAILED_TOKEN }),
      responses: {
        '200': json(message, 'Verified.', { message: 'Your email address is verified.' }),
        ...openRefusals(...ofJsonBody, 'INVALID_OR_EXPIRED_TOKEN'),
      },
    },
  },
  '/v1/auth/resend-verification': {
    post: {
      tags,
      operationId: 'resendVerification',
      summary: 'Send the verification link again',
      description:
        'Mails a new link, unless the address is verified already; the answer is the same.\n\nLimit: 1 in a minute and 5 in an hour.',
      responses: {
        '202': json(
          message,
          'Accepted.',
          { message: 'If your address is not verified yet, a new link is on its way to it.' },
          limits,
        ),
        ...refusals('RATE_LIMITED'),
      },
    },
  },
  '/v1/auth/forgot-password': {
    post: {
      tags,
      ...open,
      operationId: 'forgotPassword',
      summary: 'Ask for a new password',
      description:
        'Mails a link to choose a new password, if the address has an account; the answer is the same, in about the same time, for any address.\n\nLimit: 1 in a minute and 5 in an hour per e-mail address, 20 in an hour per client address.',
      requestBody: jsonBody(emailAlone, { email: EMAIL }),
      responses: {
        '202': json(
          message,
          'Accepted.',
          { message: 'If this address has an account, a link for a new password is on its way to it.' },
          limits,
        ),
        ...openRefusals(...ofJsonBody, 'RATE_LIMITED'),
      },
    },
  },
  '/v1/auth/reset-password': {
    post: {
      tags,
      ...open,
      operationId: 'resetPassword',
      summary: 'Choose a new password',
      description:
        'Uses the token of the link that was mailed. It is good once, for an hour, the newest only; a password that is refused does not use it up. All sessions of the account are ended, and its owner is told by e-mail.',
      requestBody: jsonBody(passwordReset, { token: MAILED_TOKEN, password: PASSWORD }),
      responses: {
        '200': json(message, 'Changed.', { message: 'Your password is changed. Sign in with the new one.' }),
        ...openRefusals(...ofJsonBody, 'INVALID_OR_EXPIRED_TOKEN'),
      },
    },
  },
  '/v1/auth/change-password': {
    post: {
      tags,
      operationId: 'changePassword',
      summary: 'Change the password',
      description: 'Ends all other sessions of the account. Wrong passwords are limited as at the login.',
      requestBody: jsonBody(passwordChange, { current_password: PASSWORD, password: 'a better one, and longer' }),
      responses: {
        '200': json(
          message,
          'Changed.',
          { message: 'Your password is changed. All other sessions were ended.' },
          { sometimes: limits.always },
        ),
        ...refusals(...ofJsonBody, 'INVALID_CREDENTIALS', 'RATE_LIMITED'),
      },
    },
  },
  '/v1/auth/me': {
    get: {
      tags,
      operationId: 'getAccount',
      summary: 'Show the account',
      responses: {
        '200': json(account, 'The account.', {
          user: {
            id: '019aa7b0-1c2d-7e4f-8a5b-6c7d8e9f0a1b',
            email: EMAIL,
            email_verified: true,
            created_at: '2026-11-20T16:04:55.001200+00:00',
          },
        }),
        ...refusals(),
      },
    },
    delete: {
      tags,
      operationId: 'deleteAccount',
      summary: 'Delete the account',
      description:
        'Deletes the account with all its documents and files. The password is asked for once more; wrong ones are limited as at the login.',
      requestBody: jsonBody(passwordAlone, { password: PASSWORD }),
      responses: {
        '204': empty('The account is gone.', { sometimes: limits.always }),
        ...refusals(...ofJsonBody, 'INVALID_CREDENTIALS', 'RATE_LIMITED'),
      },
    },
  },
};

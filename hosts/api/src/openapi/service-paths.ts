import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { alive, ready } from '../schemas/service-responses.ts';
import { empty, json, page } from './answers.ts';
import { headersOf } from './headers.ts';
import { openRefusals } from './refusals.ts';

const open = { security: [] };
const health = ['Service'];
const pages = ['Pages for people'];

const linkToken = z.object({
  token: z
    .string()
    .optional()
    .meta({
      description: 'The token of the link. Opening the page does not use it up.',
      param: { example: '3q2-7wX0mZJ8vQ4tYbN1cA6sRkLdPfHuEoIyGjTzWxU' },
    }),
});

const knownVersion = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .meta({
      description: 'The `ETag` of an answer that is kept: if it is still good, the answer is 304.',
      param: { example: '"b1946ac92492d234"' },
    }),
});

/** What is not part of the API proper: its state, its description, and the pages that people see. */
export const servicePaths: ZodOpenApiPathsObject = {
  '/healthz': {
    get: {
      tags: health,
      ...open,
      operationId: 'isAlive',
      summary: 'Whether the process is alive',
      responses: { '200': json(alive, 'It is.', { status: 'ok' }), ...openRefusals() },
    },
  },
  '/readyz': {
    get: {
      tags: health,
      ...open,
      operationId: 'isReady',
      summary: 'Whether requests can be served',
      description:
        'Looks whether the database and the file store can be reached. 503 names those that cannot, or says that the service is shutting down.',
      responses: { '200': json(ready, 'They can.', { status: 'ready' }), ...openRefusals() },
    },
  },
  '/openapi.json': {
    get: {
      tags: health,
      ...open,
      operationId: 'getDescription',
      summary: 'This description',
      requestParams: { header: knownVersion },
      responses: {
        '200': {
          description: 'The API as an OpenAPI 3.1 document.',
          headers: headersOf({ always: ['ETag'], mayBeKept: true }),
          content: { 'application/json': { schema: { type: 'object', required: ['openapi', 'info', 'paths'] } } },
        },
        '304': empty('The version that is kept is still good.', { always: ['ETag'], mayBeKept: true }),
        ...openRefusals(),
      },
    },
  },
  '/docs': {
    get: {
      tags: pages,
      ...open,
      operationId: 'readDocs',
      summary: 'The documentation, to read and to try',
      requestParams: { header: knownVersion },
      responses: {
        '200': page('The page.', { always: ['ETag'], mayBeKept: true }),
        '304': empty('The version that is kept is still good.', { always: ['ETag'], mayBeKept: true }),
        ...openRefusals(),
      },
    },
  },
  '/docs/{build}/{file}': {
    get: {
      tags: pages,
      ...open,
      operationId: 'getDocsPart',
      summary: 'A part of the documentation page',
      description: 'Scripts, styles and icons that the page names. What is at one address never changes.',
      requestParams: {
        path: z.object({
          build: z.string().meta({ description: 'Of the page.', param: { example: '4f1c2a9b0d3e' } }),
          file: z
            .string()
            .meta({ description: 'One of those that the page names.', param: { example: 'swagger-ui.css' } }),
        }),
        header: knownVersion,
      },
      responses: {
        '200': {
          description: 'The file.',
          headers: headersOf({ always: ['ETag'], mayBeKept: true }),
          content: {
            'text/javascript': { schema: { type: 'string' } },
            'text/css': { schema: { type: 'string' } },
            'image/png': { schema: { type: 'string', format: 'binary' } },
          },
        },
        '304': empty('The version that is kept is still good.', { always: ['ETag'], mayBeKept: true }),
        ...openRefusals('NOT_FOUND'),
      },
    },
  },
  '/verify-email': {
    get: {
      tags: pages,
      ...open,
      operationId: 'verifyEmailPage',
      summary: 'The page that the link to verify an address leads to',
      description: 'Its button uses the token by `POST /v1/auth/verify-email`.',
      requestParams: { query: linkToken },
      responses: { '200': page('The page.'), ...openRefusals() },
    },
  },
  '/reset-password': {
    get: {
      tags: pages,
      ...open,
      operationId: 'resetPasswordPage',
      summary: 'The page that the link to choose a new password leads to',
      description: 'Its form uses the token by `POST /v1/auth/reset-password`.',
      requestParams: { query: linkToken },
      responses: { '200': page('The page.'), ...openRefusals() },
    },
  },
  '/forgot-password': {
    get: {
      tags: pages,
      ...open,
      operationId: 'forgotPasswordPage',
      summary: 'The page to ask for a new password',
      description: 'Its form asks by `POST /v1/auth/forgot-password`.',
      responses: { '200': page('The page.'), ...openRefusals() },
    },
  },
};

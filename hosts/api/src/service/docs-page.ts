import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { isNotModified } from '../http/entity-tags.ts';
import { notFound } from '../http/http-error.ts';
import { ifNoneMatch } from '../http/openapi/formats.ts';
import { notModified, page } from '../http/openapi/responses.ts';
import { DOCS_CSS, DOCS_SCRIPT, docsPage } from './docs-page-parts.ts';

// Swagger UI uses inline styles, icons in data URLs, and blob URLs for downloaded images.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly version: string;
}

const versionOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

const asset = (type: string, bytes: Buffer): Asset => ({ type, bytes, version: versionOf(bytes) });

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const fromSwaggerUi = (name: string, type: string): [string, Asset] => [
  name,
  asset(type, readFileSync(join(swaggerUi, name))),
];

/** The assets of the page by name. The service serves no other file of Swagger UI. */
const assets: ReadonlyMap<string, Asset> = new Map([
  fromSwaggerUi('swagger-ui-bundle.js', 'text/javascript'),
  fromSwaggerUi('swagger-ui.css', 'text/css'),
  fromSwaggerUi('favicon-32x32.png', 'image/png'),
  ['docs.js', asset('text/javascript', Buffer.from(DOCS_SCRIPT))],
  ['docs.css', asset('text/css', Buffer.from(DOCS_CSS))],
]);
const build = versionOf([...assets.values()].map(({ version }) => version).join()).slice(0, 16);
const html = asset('html', Buffer.from(docsPage(`docs/${build}`)));

const send = (req: Request, res: Response, { type, bytes, version }: Asset, cacheControl: string): void => {
  res.set('Cache-Control', cacheControl);
  if (!isNotModified(req, res, version)) res.type(type).send(bytes);
};

/** A page to read the API documentation and to try the operations. */
export const readDocs = defineEndpoint({
  method: 'get',
  path: '/docs',
  trailingSlash: 'refused', // the page names its assets relative to its own address
  tag: 'Pages for people',
  operationId: 'readDocs',
  summary: 'Read the documentation and try the API',
  access: 'public',
  request: { headers: z.object(ifNoneMatch) },
  responses: {
    200: page('The page.', { always: ['ETag'], isCacheable: true }),
    304: notModified({ isCacheable: true }),
  },
  handler: ({ req, res }) => {
    res.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    send(req, res, html, 'no-cache');
  },
});

/**
 * The assets of the page. The build in the path changes with their content, so caches never need to revalidate them.
 */
export const getDocsAsset = defineEndpoint({
  method: 'get',
  path: '/docs/{build}/{file}',
  trailingSlash: 'refused',
  tag: 'Pages for people',
  operationId: 'getDocsPart',
  summary: 'Get an asset of the documentation page',
  description: 'Scripts, styles and icons of the page. The content at one address never changes.',
  access: 'public',
  request: {
    path: z.object({
      build: z.string().meta({ description: 'The build of the page.', param: { example: '4f1c2a9b0d3e' } }),
      file: z.string().meta({ description: 'The name of the asset.', param: { example: 'swagger-ui.css' } }),
    }),
    headers: z.object(ifNoneMatch),
  },
  responses: {
    200: {
      description: 'The asset.',
      headers: { always: ['ETag'], isCacheable: true },
      content: {
        'text/javascript': { schema: { type: 'string' } },
        'text/css': { schema: { type: 'string' } },
        'image/png': { schema: { type: 'string', format: 'binary' } },
      },
    },
    304: notModified({ isCacheable: true }),
  },
  refusals: ['NOT_FOUND'],
  handler: ({ path, req, res }) => {
    const found = path.build === build ? assets.get(path.file) : undefined;
    if (found) send(req, res, found, 'public, max-age=31536000, immutable');
    else notFound();
  },
});

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Request, RequestHandler, Response, Router } from 'express';
import { DOCS_CSS, DOCS_SCRIPT, docsPage } from './docs-page-parts.ts';
import { isAnsweredByTag } from './entity-tags.ts';
import { notFound } from './error-response.ts';
import { route } from './routing.ts';

// Swagger UI sets styles on its elements, has its icons in data URLs, and shows images that it fetched as blobs.
const POLICY = [
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

interface Part {
  readonly type: string;
  readonly bytes: Buffer;
  readonly version: string;
}

const versionOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

const part = (type: string, bytes: Buffer): Part => ({ type, bytes, version: versionOf(bytes) });

/** The parts of the page by name. Of the files of Swagger UI, these alone are served. */
const readParts = (): ReadonlyMap<string, Part> => {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const fromSwaggerUi = (name: string, type: string): [string, Part] => [
    name,
    part(type, readFileSync(join(folder, name))),
  ];
  return new Map([
    fromSwaggerUi('swagger-ui-bundle.js', 'text/javascript'),
    fromSwaggerUi('swagger-ui.css', 'text/css'),
    fromSwaggerUi('favicon-32x32.png', 'image/png'),
    ['docs.js', part('text/javascript', Buffer.from(DOCS_SCRIPT))],
    ['docs.css', part('text/css', Buffer.from(DOCS_CSS))],
  ]);
};

const send = (req: Request, res: Response, { type, bytes, version }: Part, cacheControl: string): void => {
  res.set('Cache-Control', cacheControl);
  if (!isAnsweredByTag(req, res, version)) res.type(type).send(bytes);
};

/**
 * Adds `/docs` to a router: the description of the API as a page to read and to try, with everything that it needs. The
 * router must be strict, as the page names its parts relative to itself.
 */
export const addDocsPage = (router: Router): void => {
  const parts = readParts();
  const build = versionOf([...parts.values()].map(({ version }) => version).join()).slice(0, 16);
  const html = part('html', Buffer.from(docsPage(`docs/${build}`)));

  const servePage: RequestHandler = (req, res) => {
    res.set('Content-Security-Policy', POLICY);
    send(req, res, html, 'no-cache');
  };

  const servePart: RequestHandler = (req, res) => {
    const found = req.params['build'] === build ? parts.get(String(req.params['file'])) : undefined;
    if (found) send(req, res, found, 'public, max-age=31536000, immutable');
    else notFound();
  };

  route(router, '/docs', { get: [servePage] });
  route(router, '/docs/:build/:file', { get: [servePart] });
};

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Router } from 'express';
import { addDocsPage } from '../docs-page.ts';
import { isAnsweredByTag } from '../entity-tags.ts';
import { route } from '../routing.ts';
import { openApiDocument } from './openapi-document.ts';

const MAX_AGE_S = 300;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** `/openapi.json`: the description of the API as it is served at `serverUrl`; `/docs`: a page to read and try it. */
export const openApiRoutes = ({ serverUrl }: { readonly serverUrl: string }): Router => {
  const body = Buffer.from(JSON.stringify(openApiDocument({ serverUrl, version })));
  const bodyVersion = createHash('sha256').update(body).digest('hex').slice(0, 32);
  const router = Router({ caseSensitive: true, strict: true });
  route(router, '/openapi.json', {
    get: [
      (req, res) => {
        res.set('Cache-Control', `public, max-age=${MAX_AGE_S}`);
        if (!isAnsweredByTag(req, res, bodyVersion)) res.type('json').send(body);
      },
    ],
  });
  addDocsPage(router);
  return router;
};

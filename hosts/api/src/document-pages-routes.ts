import type { UseCases } from '@palimpsest/composition';
import type { Request, Router } from 'express';
import { actorOf } from './authenticate.ts';
import { isAnsweredByTag } from './entity-tags.ts';
import { presentPages, presentWords } from './presenters.ts';
import { parameter, route } from './routing.ts';
import { parsePageNumber } from './schemas.ts';
import { whileWaiting } from './send-bytes.ts';

// What is rendered of an unchanged document is always the same: a browser may show it again without asking.
const IMAGE_CACHE = 'private, max-age=3600';

/** What is no number is the number of no page; whether there is such a document is asked first. */
const pageNumber = (req: Request): number => parsePageNumber(parameter(req, 'number')) ?? 0;

/** A document's pages, their words and how they look. */
export const documentPagesRoutes = (router: Router, useCases: UseCases): void => {
  route(router, '/:id/pages', {
    get: [
      async (req, res) => {
        res.json(presentPages(await useCases.listPages(actorOf(res), parameter(req, 'id'))));
      },
    ],
  });

  route(router, '/:id/pages/:number/words', {
    get: [
      async (req, res) => {
        res.json(presentWords(await useCases.listWords(actorOf(res), parameter(req, 'id'), pageNumber(req))));
      },
    ],
  });

  route(router, '/:id/pages/:number/image', {
    get: [
      async (req, res) => {
        const image = await useCases.renderPage(actorOf(res), parameter(req, 'id'), pageNumber(req));
        res.set({ 'Cache-Control': IMAGE_CACHE, Vary: 'Authorization' });
        if (isAnsweredByTag(req, res, image.version)) return;
        res.set('Content-Type', image.mediaType);
        if (req.method === 'HEAD') {
          res.end();
          return;
        }
        const bytes = await image.render(whileWaiting(res));
        res.set('Content-Length', String(bytes.length)).end(bytes);
      },
    ],
  });
};

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UseCases } from '@palimpsest/composition';
import { AppError, type ReceivedFile } from '@palimpsest/core';
import { Router, type ErrorRequestHandler } from 'express';
import { actorOf, requireActor } from './authenticate.ts';
import { documentEventsRoute } from './document-events-route.ts';
import { documentFilesRoutes } from './document-files-routes.ts';
import { documentPagesRoutes } from './document-pages-routes.ts';
import { documentTextsRoutes } from './document-texts-routes.ts';
import { isAnsweredByTag } from './entity-tags.ts';
import type { Readiness } from './health-routes.ts';
import { presentAccepted, presentDetail, presentHit, presentList } from './presenters.ts';
import { sourceOf } from './rate-limit-headers.ts';
import { receiveUpload, uploadedFile } from './receive-upload.ts';
import { parameter, route } from './routing.ts';
import { parsePaging, parseSearch, parseUploadFields } from './schemas.ts';

/** An id with broken percent-encoding is the id of no document, like any other that is malformed. */
const unreadableId: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  next(error instanceof URIError ? new AppError('DOCUMENT_NOT_FOUND', 'Document not found.') : error);
};

/** The fields of the form. If they are invalid, the received file is discarded. */
const uploadFields = async (
  useCases: Pick<UseCases, 'discardFile'>,
  received: ReceivedFile,
  body: unknown,
): Promise<{ readonly title?: string }> => {
  try {
    return parseUploadFields(body);
  } catch (error) {
    await useCases.discardFile(received);
    throw error;
  }
};

/** The endpoints below `/v1/documents`. */
export const documentsRoutes = (useCases: UseCases, readiness: Readiness): Router => {
  const router = Router({ caseSensitive: true });
  router.use(requireActor(useCases));

  route(router, '/', {
    get: [
      async (req, res) => {
        const page = parsePaging(req.query);
        res.json(presentList(await useCases.listDocuments(actorOf(res), page), page));
      },
    ],
    post: [
      receiveUpload(useCases),
      async (req, res) => {
        const { received, filename } = uploadedFile(req);
        const key = req.get('idempotency-key');
        const fields = await uploadFields(useCases, received, req.body);
        const accepted = await useCases.uploadDocument({
          actor: actorOf(res),
          file: received,
          filename,
          key,
          ...fields,
        });
        res.json(presentAccepted({ ...accepted, status: 'queued' }));
      },
    ],
  });

  route(router, '/search', {
    get: [
      async (req, res) => {
        const { q, page } = parseSearch(req.query);
        const { total, hits } = await useCases.searchDocuments(actorOf(res), q, page);
        const items = [];
        for await (const hit of hits) {
          items.push(presentHit(hit));
          await nextTurn();
        }
        res.json({ items, paging: { ...page, total } });
      },
    ],
  });

  route(router, '/:id', {
    get: [
      async (req, res) => {
        const { document, ocr, version } = await useCases.getDocument(actorOf(res), parameter(req, 'id'));
        if (isAnsweredByTag(req, res, version)) return;
        res.json(presentDetail(document, ocr));
      },
    ],
    delete: [
      async (req, res) => {
        await useCases.deleteDocument(actorOf(res), parameter(req, 'id'));
        res.status(204).end();
      },
    ],
  });

  route(router, '/:id/reprocess', {
    post: [
      async (req, res) => {
        res.status(202).json(presentAccepted(await useCases.reprocessDocument(actorOf(res), parameter(req, 'id'))));
      },
    ],
  });

  route(router, '/:id/email', {
    post: [
      async (req, res) => {
        await useCases.emailDocument(
          actorOf(res),
          parameter(req, 'id'),
          sourceOf(req, res),
          req.get('idempotency-key'),
        );
        res.status(202).json({ message: 'Document sent to your email.' });
      },
    ],
  });

  documentFilesRoutes(router, useCases);
  documentTextsRoutes(router, useCases);
  documentPagesRoutes(router, useCases);
  documentEventsRoute(router, useCases, readiness);
  router.use(unreadableId);
  return router;
};

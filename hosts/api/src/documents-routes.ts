import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UseCases } from '@palimpsest/composition';
import { AppError, isAppError, type ReceivedFile } from '@palimpsest/core';
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

/** Refusals after which it is certain that no document has the file. */
const isRefusal = (error: unknown): boolean =>
  isAppError(error, 'VALIDATION_ERROR', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE');

/** Runs `upload`, and gives up the file if no document has come of it. After any other error the sweep decides. */
const withFile = async <T extends { readonly blobKey: string }>(
  useCases: Pick<UseCases, 'discardFile'>,
  file: ReceivedFile,
  upload: () => Promise<T>,
): Promise<T> => {
  try {
    const accepted = await upload();
    if (accepted.blobKey !== file.blobKey) await useCases.discardFile(file);
    return accepted;
  } catch (error) {
    if (isRefusal(error)) await useCases.discardFile(file);
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
        const accepted = await withFile(useCases, received, () =>
          useCases.uploadDocument({
            actor: actorOf(res),
            file: received,
            filename,
            key,
            ...parseUploadFields(req.body),
          }),
        );
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

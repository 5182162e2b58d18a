import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { UseCases } from '@palimpsest/composition';
import { AppError, isAppError } from '@palimpsest/core';
import * as contentDisposition from 'content-disposition';
import { Router, type ErrorRequestHandler, type Request } from 'express';
import { actorOf, requireActor } from './authenticate.ts';
import { jsonBody, REVISION_LIMIT_BYTES } from './json-body.ts';
import { presentAccepted, presentDetail, presentList, presentOcr } from './presenters.ts';
import { sourceOf } from './rate-limit-headers.ts';
import { receiveUpload, uploadedFile } from './receive-upload.ts';
import { route } from './routing.ts';
import { parsePaging, parseRevision, parseUploadFields } from './schemas.ts';

const idOf = (req: Request): string => String(req.params['id']);

/** An id with broken percent-encoding is the id of no document, like any other that is malformed. */
const unreadableId: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  next(error instanceof URIError ? new AppError('DOCUMENT_NOT_FOUND', 'Document not found.') : error);
};

/** The endpoints below `/v1/documents`. */
export const documentsRoutes = (useCases: UseCases): Router => {
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
        try {
          const request = { actor: actorOf(res), file: received, filename, ...parseUploadFields(req.body) };
          res.json(presentAccepted(await useCases.uploadDocument(request)));
        } catch (error) {
          // Any other error may hide a document that was stored: then the sweep decides about the file.
          if (isAppError(error, 'VALIDATION_ERROR')) await useCases.discardFile(received);
          throw error;
        }
      },
    ],
  });

  route(router, '/:id', {
    get: [
      async (req, res) => {
        const { document, ocr } = await useCases.getDocument(actorOf(res), idOf(req));
        res.json(presentDetail(document, ocr));
      },
    ],
    delete: [
      async (req, res) => {
        await useCases.deleteDocument(actorOf(res), idOf(req));
        res.status(204).end();
      },
    ],
  });

  route(router, '/:id/download', {
    get: [
      async (req, res) => {
        const { document, bytes } = await useCases.downloadDocument(actorOf(res), idOf(req));
        res.set({
          'Content-Type': document.mediaType,
          'Content-Length': String(document.byteSize),
          'Content-Disposition': contentDisposition.create(document.originalFilename),
        });
        const source = Readable.from(bytes, { objectMode: false });
        if (req.method === 'HEAD') {
          source.destroy();
          res.end();
          return;
        }
        await pipeline(source, res);
      },
    ],
  });

  route(router, '/:id/email', {
    post: [
      async (req, res) => {
        await useCases.emailDocument(actorOf(res), idOf(req), sourceOf(req, res), req.get('idempotency-key'));
        res.status(202).json({ message: 'Document sent to your email.' });
      },
    ],
  });

  route(router, '/:id/ocr', {
    put: [
      ...jsonBody(REVISION_LIMIT_BYTES),
      async (req, res) => {
        const { revised_text } = parseRevision(req.body);
        const ocr = await useCases.reviseOcr(actorOf(res), idOf(req), revised_text);
        res.json({ ocr: presentOcr(ocr), message: 'Revision saved.' });
      },
    ],
  });
  router.use(unreadableId);
  return router;
};

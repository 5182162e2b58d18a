import { Readable } from 'node:stream';
import type { UseCases } from '@palimpsest/composition';
import * as contentDisposition from 'content-disposition';
import type { Router } from 'express';
import { actorOf } from './authenticate.ts';
import { requestedRange } from './byte-ranges.ts';
import { isAnsweredByTag } from './entity-tags.ts';
import { parameter, route } from './routing.ts';
import { parseExportQuery } from './schemas.ts';
import { sendStream, whileWaiting } from './send-bytes.ts';

/** A document's files: the original, exports, the searchable PDF. */
export const documentFilesRoutes = (router: Router, useCases: UseCases): void => {
  route(router, '/:id/download', {
    get: [
      async (req, res) => {
        const { document, open } = await useCases.downloadDocument(actorOf(res), parameter(req, 'id'));
        const { byteSize, sha256 } = document;
        if (isAnsweredByTag(req, res, sha256)) return;
        res.set('Accept-Ranges', 'bytes');
        const range = requestedRange(req, res, byteSize, sha256);
        const bytes = req.method === 'HEAD' ? Readable.from([]) : await open(range);
        if (range) res.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${byteSize}`);
        res.set({
          'Content-Type': document.mediaType,
          'Content-Length': String(range ? range.end - range.start + 1 : byteSize),
          'Content-Disposition': contentDisposition.create(document.originalFilename),
        });
        await sendStream(req, res, () => bytes);
      },
    ],
  });

  route(router, '/:id/export', {
    get: [
      async (req, res) => {
        const { format, formatted } = parseExportQuery(req.query);
        const file = await useCases.exportDocument(actorOf(res), parameter(req, 'id'), format, formatted);
        res.set({ 'Content-Type': file.mediaType, 'Content-Disposition': contentDisposition.create(file.filename) });
        await sendStream(req, res, file.bytes);
      },
    ],
  });

  route(router, '/:id/searchable-pdf', {
    get: [
      async (req, res) => {
        const pdf = await useCases.makeSearchablePdf(actorOf(res), parameter(req, 'id'));
        if (isAnsweredByTag(req, res, pdf.version)) return;
        res.set({ 'Content-Type': 'application/pdf', 'Content-Disposition': contentDisposition.create(pdf.filename) });
        if (req.method === 'HEAD') {
          res.end();
          return;
        }
        const bytes = await pdf.write(whileWaiting(res));
        res.set('Content-Length', String(bytes.length)).end(bytes);
      },
    ],
  });
};

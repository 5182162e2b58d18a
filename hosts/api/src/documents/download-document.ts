import { Readable } from 'node:stream';
import * as contentDisposition from 'content-disposition';
import { z } from 'zod';
import { requestedRange } from '../http/byte-ranges.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { isNotModified } from '../http/entity-tags.ts';
import { ifNoneMatch, mediaType, requestHeader } from '../http/openapi/formats.ts';
import { file, notModified } from '../http/openapi/responses.ts';
import { sendStream } from '../http/send-bytes.ts';
import { documentPath } from './document-schemas.ts';

const headers = z.object({
  Range: requestHeader(
    'One range of bytes (RFC 9110, section 14); the response is 206. For every other value, the response is the whole file.',
    'bytes=0-1023',
  ),
  'If-Range': requestHeader(
    'The `ETag` that came with the part that the client has already. If the file has another `ETag` now, the response is the whole file.',
    '"9f86d081884c7d65"',
  ),
  ...ifNoneMatch,
});

export const downloadDocument = defineEndpoint({
  method: 'get',
  path: '/v1/documents/{id}/download',
  tag: 'Documents',
  operationId: 'downloadDocument',
  summary: 'Download the original file',
  description: 'The uploaded file, byte for byte, or a range of its bytes.',
  request: { path: documentPath, headers },
  responses: {
    200: file(mediaType.options, 'The file.', {
      always: ['Content-Disposition', 'Content-Length', 'Accept-Ranges', 'ETag'],
    }),
    206: file(mediaType.options, 'The requested range.', {
      always: ['Content-Disposition', 'Content-Length', 'Content-Range', 'Accept-Ranges', 'ETag'],
    }),
    304: notModified(),
  },
  refusals: ['FILE_NOT_STORED', 'DOCUMENT_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
  handler: async ({ path: { id }, actor, useCases, req, res }) => {
    const { document, open } = await useCases.downloadDocument(actor, id);
    const { byteSize, sha256 } = document;
    if (isNotModified(req, res, sha256)) return;
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
});

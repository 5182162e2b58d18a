import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { isNotModified } from '../http/entity-tags.ts';
import { ifNoneMatch } from '../http/openapi/formats.ts';
import { file, notModified } from '../http/openapi/responses.ts';
import { disconnectSignal, sendBytes } from '../http/send-bytes.ts';
import { pagePath } from './page-path.ts';

// The image of an unchanged document is always the same, so a browser may reuse it without a request.
const CACHE_CONTROL = 'private, max-age=3600';

export const getPageImage = defineEndpoint({
  method: 'get',
  path: '/v1/documents/{id}/pages/{number}/image',
  tag: 'Text',
  operationId: 'getPageImage',
  summary: 'Get the image of a page',
  description:
    'The upright page in greyscale, as the OCR engine read it. The boxes of the words are in pixels of this image.',
  request: { path: pagePath, headers: z.object(ifNoneMatch) },
  responses: {
    200: file(['image/png', 'image/webp'], 'The image.', {
      always: ['ETag'],
      sometimes: ['Content-Length'],
      isCacheable: true,
    }),
    304: notModified({ isCacheable: true }),
  },
  refusals: [
    'DOCUMENT_NOT_COMPLETED',
    'FILE_NOT_STORED',
    'DOCUMENT_NOT_FOUND',
    'PAGE_NOT_FOUND',
    'PAGE_NOT_RENDERABLE',
    'RATE_LIMITED',
  ],
  handler: async ({ path: { id, number }, actor, useCases, req, res }) => {
    const image = await useCases.renderPage(actor, id, number);
    res.set({ 'Cache-Control': CACHE_CONTROL, Vary: 'Authorization' });
    if (isNotModified(req, res, image.version)) return;
    res.set('Content-Type', image.mediaType);
    await sendBytes(req, res, () => image.render(disconnectSignal(res)));
  },
});

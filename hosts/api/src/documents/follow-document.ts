import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { EXAMPLE_ID, requestHeader } from '../http/openapi/formats.ts';
import { empty } from '../http/openapi/responses.ts';
import { documentPath } from './document-schemas.ts';
import { MAX_STREAMS_PER_ACCOUNT, sendStatusEvents } from './status-events.ts';

const EXAMPLE = `event: status
id: 2
data: {"id":"${EXAMPLE_ID}","status":"processing","pages_done":3,"pages_total":12}

event: status
id: 3
data: {"id":"${EXAMPLE_ID}","status":"completed","pages_done":12,"pages_total":12}

`;

export const followDocument = defineEndpoint({
  method: 'get',
  path: '/v1/documents/{id}/events',
  tag: 'Documents',
  operationId: 'followDocument',
  summary: 'Follow the processing of a document',
  description:
    'Server-sent events: one `status` event at once and one at each change. The stream ends after the event with the status `completed` or `failed`. A client that connects again with the `Last-Event-ID` of that event gets 204, which tells a browser to stop. Lines that begin with a colon keep the connection alive. The stream also ends when the document is deleted, the session ends, or the service shuts down.',
  rateLimit: { limit: `${MAX_STREAMS_PER_ACCOUNT} streams at the same time`, headers: 'never' },
  request: {
    path: documentPath,
    headers: z.object({
      'Last-Event-ID': requestHeader(
        'The id of the last event that the client received. Browsers send it when they connect again.',
        '4',
      ),
    }),
  },
  responses: {
    200: {
      description:
        'The stream. The `data` of each event is a `StatusEvent` as JSON; its `id` is the version of the document.',
      headers: {},
      content: {
        'text/event-stream': {
          schema: {
            type: 'string',
            description:
              'Blocks of the lines `event: status`, `id` and `data`, separated by an empty line. `data` is a `StatusEvent`.',
            'x-event-data': { $ref: '#/components/schemas/StatusEvent' },
          },
          example: EXAMPLE,
        },
      },
    },
    204: empty('The client has received the last event already.'),
  },
  refusals: ['DOCUMENT_NOT_FOUND'],
  handler: async ({ path: { id }, headers, actor, useCases, service, req, res }) => {
    const first = await useCases.documentProgress(actor, id);
    if (first.isOver && headers['Last-Event-ID'] === String(first.version)) {
      res.status(204).end();
      return;
    }
    res.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    if (req.method === 'HEAD') res.end();
    else await sendStatusEvents({ service, actor, req, res }, first);
  },
});

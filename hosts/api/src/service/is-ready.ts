import { readiness } from '@palimpsest/composition';
import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { json } from '../http/openapi/responses.ts';

const ready = z.strictObject({ status: z.literal('ready') }).meta({ id: 'Ready' });

export const isReady = defineEndpoint({
  method: 'get',
  path: '/readyz',
  tag: 'Service',
  operationId: 'isReady',
  summary: 'Check that the service can answer requests',
  description:
    'Checks that the database and the blob store are available. Otherwise, or while the service is shutting down, the response is 503 and names the reason.',
  access: 'public',
  responses: { 200: json(ready, 'The service is ready.', { status: 'ready' }) },
  handler: async ({ service, res }) => {
    const { status, body, headers } = await readiness(service, service.shutdown.stopping ? 'service' : undefined);
    if (status === 200) return body;
    res.status(status).set(headers).json(body);
  },
});

import { missingDependencies } from '@palimpsest/composition';
import type { ErrorCode } from '@palimpsest/core';
import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { json } from '../http/openapi/responses.ts';

const ready = z.strictObject({ status: z.literal('ready') }).meta({ id: 'Ready' });
const UNAVAILABLE: ErrorCode = 'SERVICE_UNAVAILABLE';

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
    const missing = [...(await missingDependencies(service))];
    if (service.shutdown.stopping) missing.push('service (it is shutting down)');
    if (missing.length === 0) return { status: 'ready' };
    const message = `Not available: ${missing.join(', ')}. Try again in a few seconds.`;
    res
      .status(503)
      .set('Retry-After', '5')
      .json({ error: { code: UNAVAILABLE, message } });
  },
});

import { z } from 'zod';
import { defineEndpoint } from '../http/endpoint.ts';
import { json } from '../http/openapi/responses.ts';

const alive = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Alive' });

export const isAlive = defineEndpoint({
  method: 'get',
  path: '/healthz',
  tag: 'Service',
  operationId: 'isAlive',
  summary: 'Check that the process is alive',
  access: 'public',
  responses: { 200: json(alive, 'The process is alive.', { status: 'ok' }) },
  handler: async () => ({ status: 'ok' }),
});

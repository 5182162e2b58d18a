import { missingDependencies, type Composition } from '@palimpsest/composition';
import type { AppError } from '@palimpsest/core';
import { Router } from 'express';
import { route } from './routing.ts';

/** Whether the service is told to stop: it is not ready then, though it still answers. */
export interface Readiness {
  stopping: boolean;
}

/** `/healthz`: the process is alive. `/readyz`: what it depends on can be reached; 503 names what cannot. */
export const healthRoutes = ({ ports, log }: Pick<Composition, 'ports' | 'log'>, readiness: Readiness): Router => {
  const router = Router({ caseSensitive: true });
  route(router, '/healthz', { get: [(_req, res) => void res.json({ status: 'ok' })] });
  route(router, '/readyz', {
    get: [
      async (_req, res) => {
        const missing = [...(await missingDependencies({ ports, log }))];
        if (readiness.stopping) missing.push('service (it is shutting down)');
        if (missing.length === 0) {
          res.json({ status: 'ready' });
          return;
        }
        const code: AppError['code'] = 'SERVICE_UNAVAILABLE';
        res.status(503).set('Retry-After', '5');
        res.json({ error: { code, message: `Not available: ${missing.join(', ')}. Try again in a few seconds.` } });
      },
    ],
  });
  return router;
};

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readiness, type Composition } from '@palimpsest/composition';

/** Answers the health checks of a worker. */
export interface HealthServer {
  readonly port: number;
  /** From this call on, `/readyz` answers 503, because the worker starts no more jobs. */
  stopping(): void;
  close(): Promise<void>;
}

const answer = (res: ServerResponse, status: number, body: unknown, headers: object = {}): void => {
  res
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
      ...headers,
    })
    .end(JSON.stringify(body));
};

/**
 * Listens on `port` (0: any free one) of `host`. `GET /healthz` answers 200 while the process is alive. `GET /readyz`
 * answers 200 while the database and the blob store are available and the worker is not stopping. Otherwise it answers
 * 503 and names the missing dependencies.
 */
export const openHealthServer = async (
  { ports, log }: Pick<Composition, 'ports' | 'log'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HealthServer> => {
  let stopping = false;
  const server = createServer((req, res) => {
    void (async () => {
      const path = req.url?.split('?')[0];
      if (path !== '/healthz' && path !== '/readyz') {
        answer(res, 404, { error: { code: 'NOT_FOUND', message: 'This path does not exist.' } });
        return;
      }
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        res.setHeader('allow', 'GET, HEAD');
        answer(res, 405, { error: { code: 'METHOD_NOT_ALLOWED', message: 'Use GET or HEAD here.' } });
        return;
      }
      if (path === '/healthz') {
        answer(res, 200, { status: 'ok' });
        return;
      }
      const { status, body, headers } = await readiness({ ports, log }, stopping ? 'worker' : undefined);
      answer(res, status, body, headers);
    })();
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stopping: () => {
      stopping = true;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

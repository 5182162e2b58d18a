import { request, type RequestOptions } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

const TIMEOUT_MS = 1_000;

const endpoints = (): readonly RequestOptions[] => {
  const { DOCKER_HOST: host, XDG_RUNTIME_DIR: runtime } = process.env;
  if (host?.startsWith('unix://')) return [{ socketPath: host.slice('unix://'.length) }];
  if (host !== undefined && URL.canParse(host)) {
    const { hostname, port } = new URL(host);
    return [{ host: hostname, port: port === '' ? 2375 : Number(port) }];
  }
  if (process.platform === 'win32') return [{ socketPath: '//./pipe/docker_engine' }];
  const folders = [
    '/var/run',
    ...(runtime === undefined ? [] : [runtime]),
    join(homedir(), '.docker/run'),
    join(homedir(), '.docker/desktop'),
  ];
  return folders.map((folder) => ({ socketPath: join(folder, 'docker.sock') }));
};

const answers = (endpoint: RequestOptions): Promise<boolean> =>
  new Promise((resolve) => {
    const ping = request({ ...endpoint, path: '/_ping', timeout: TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(true); // any response means that Docker runs; a TLS endpoint refuses the request
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('error', () => resolve(false));
    ping.end();
  });

/** Whether Docker answers within a second at one of its usual addresses. */
export const isDockerAvailable = async (): Promise<boolean> =>
  (await Promise.all(endpoints().map(answers))).includes(true);

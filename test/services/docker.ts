import { request, type RequestOptions } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

const PATIENCE_MS = 1_000;

const places = (): readonly RequestOptions[] => {
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

const answers = (place: RequestOptions): Promise<boolean> =>
  new Promise((resolve) => {
    const ping = request({ ...place, path: '/_ping', timeout: PATIENCE_MS }, (response) => {
      response.resume();
      resolve(true); // over TLS it is a refusal, but somebody is there
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('error', () => resolve(false));
    ping.end();
  });

/** Whether a Docker answers where one usually does, within a second. */
export const isDockerHere = async (): Promise<boolean> => (await Promise.all(places().map(answers))).includes(true);

import { Wait } from 'testcontainers';
import { onDocker, startContainer, stopContainer } from './containers.ts';
import { describeOnServers, once, oncePerServer, type Service } from './service.ts';

/** A Google Cloud Storage server for tests. */
export interface GcsServer {
  readonly name: string; // of the backend, for titles: 'fsouza/fake-gcs-server:1.56.1'
  readonly apiEndpoint: string; // http://HOST:PORT
}

const IMAGE = 'fsouza/fake-gcs-server:1.56.1';
const PORT = 4443;
const REACH_MS = 5_000;

/**
 * The server returns the address of a resumable upload as `externalUrl`. The port is known only when the container runs, so
 * the address is set afterwards (https://github.com/fsouza/fake-gcs-server, examples/java/testcontainers).
 */
const startServer = async (): Promise<readonly GcsServer[]> => {
  const container = await startContainer(IMAGE, (given) =>
    given
      .withExposedPorts(PORT)
      .withCommand(['-scheme', 'http', '-port', String(PORT), '-backend', 'memory'])
      .withWaitStrategy(Wait.forHttp('/_internal/healthcheck', PORT)),
  );
  try {
    const externalUrl = `http://${container.getHost()}:${container.getMappedPort(PORT)}`;
    const response = await fetch(`${externalUrl}/_internal/config`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ externalUrl }),
    });
    if (!response.ok)
      throw new Error(`the emulator refused its external URL: ${response.status} ${await response.text()}`);
    await response.body?.cancel();
    return [{ name: IMAGE, apiEndpoint: externalUrl }];
  } catch (error) {
    await stopContainer(container);
    throw error;
  }
};

/** The servers for tests, or the reason why there is none. */
export const findGcsServers: () => Promise<readonly GcsServer[] | string> = once(async () => {
  const { TEST_GCS_EMULATOR_HOST: given = '' } = process.env;
  if (given !== '')
    return [{ name: 'TEST_GCS_EMULATOR_HOST', apiEndpoint: given.includes('://') ? given : `http://${given}` }];
  return await onDocker(IMAGE, 'TEST_GCS_EMULATOR_HOST is', startServer);
});

const gcs: Service<GcsServer> = {
  name: 'gcs',
  planned: [{ name: IMAGE, apiEndpoint: 'http://gcs.invalid' }],
  find: findGcsServers,
  reach: oncePerServer(async ({ name, apiEndpoint }) => {
    try {
      const response = await fetch(`${apiEndpoint}/storage/v1/b?project=test`, {
        signal: AbortSignal.timeout(REACH_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`it answers with status ${response.status}`);
    } catch (error) {
      throw new Error(`${name} does not answer`, { cause: error });
    }
  }),
};

/** Describes one suite for each server, titled `on NAME`. Without a server, one pending test states the reason. */
export const describeOnGcs = (title: string, tests: (server: GcsServer) => void): Promise<void> =>
  describeOnServers(gcs, title, tests);

/** A Google Cloud Storage that tests may use. */
export interface GcsServer {
  readonly name: string; // of the backend, for titles: 'fsouza/fake-gcs-server'
  readonly apiEndpoint: string; // http://HOST:PORT
}

/** The servers that tests run against, each once; or why there is none. */
export const findGcsServers = (): Promise<readonly GcsServer[] | string> => {
  const apiEndpoint = process.env['TEST_GCS_EMULATOR_HOST'];
  if (apiEndpoint !== undefined && apiEndpoint !== '') return Promise.resolve([{ name: 'TEST_GCS_EMULATOR_HOST', apiEndpoint }]);
  return Promise.resolve('TEST_GCS_EMULATOR_HOST is not set');
};

/** A suite for each server, titled `on NAME`; where there is none, one skipped test says why. */
export const describeOnGcs = async (title: string, tests: (server: GcsServer) => void): Promise<void> => {
  const servers = await findGcsServers();
  describe(title, () => {
    if (typeof servers === 'string') {
      it.skip(`is left out: ${servers}`);
      return;
    }
    for (const server of servers) {
      describe(`on ${server.name}`, () => {
        before('reach the server', async () => {
          const response = await fetch(`${server.apiEndpoint}/storage/v1/b?project=test`);
          await response.body?.cancel();
        });
        tests(server);
      });
    }
  });
};

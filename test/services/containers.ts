import { GenericContainer, type StartedTestContainer } from 'testcontainers';
import { isDockerAvailable } from './docker.ts';
import { provideImage, isImageUnavailable, within } from './images.ts';

const START_MS = 90_000;

const running = new Set<StartedTestContainer>();
let isStopPlanned = false;

/** Stops a container that did not become ready. */
export const stopContainer = async (container: StartedTestContainer): Promise<void> => {
  running.delete(container);
  await container.stop();
};

/** Registers a root hook at the first start that stops all containers after the last test. */
const planStop = (): void => {
  if (isStopPlanned) return;
  isStopPlanned = true;
  after('stop the containers', async function () {
    this.timeout(START_MS);
    await Promise.all([...running].map(stopContainer));
  });
};

/**
 * Starts a container and stops it after the last test of this process. Throws if the image is not available or does not
 * start.
 */
export const startContainer = async (
  image: string,
  configured: (container: GenericContainer) => GenericContainer,
): Promise<StartedTestContainer> => {
  await provideImage(image);
  planStop();
  const starting = configured(new GenericContainer(image).withStartupTimeout(START_MS)).start();
  starting.then(
    (container) => running.add(container),
    () => undefined, // thrown below
  );
  try {
    return await within(START_MS, `the start of ${image}`, starting);
  } catch (error) {
    if (!isImageUnavailable(error)) throw error;
    throw new Error(
      'The image of the clean-up container of Testcontainers is not available. Set TESTCONTAINERS_RYUK_DISABLED=true to run without it',
      { cause: error },
    );
  }
};

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${messageOf(error.cause)})`;
};

/**
 * Calls `start` if Docker answers, otherwise returns the reason why not. Starts nothing if mocha runs files in parallel
 * processes, as `npm test` does, because each process would start its own containers.
 */
export const onDocker = async <T>(what: string, variables: string, start: () => Promise<T>): Promise<T | string> => {
  if (process.env['MOCHA_WORKER_ID'] !== undefined)
    return `npm test starts no containers (npm run test:contracts does), and ${variables} not set`;
  if (!(await isDockerAvailable())) return `Docker is not available, and ${variables} not set`;
  try {
    return await start();
  } catch (error) {
    return `Docker is available, but ${what} cannot be started: ${messageOf(error).replaceAll(/\s+/g, ' ')}`;
  }
};

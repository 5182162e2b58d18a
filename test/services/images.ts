import { createInterface } from 'node:readline';
import { getContainerRuntimeClient, ImageName } from 'testcontainers';

const CONTACT_MS = 20_000; // until the first response of the registry
const SILENCE_MS = 120_000; // between two progress messages of a download

const DEFAULT_REGISTRY = 'docker.io';

/** The registries that did not answer, with their errors, so that tests wait for each only once. */
const silentRegistries = new Map<string, Error>();

/** Awaits `work`. Throws an error that names `what` after `ms`. */
export const within = async <T>(ms: number, what: string, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no response within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

const download = async (progress: NodeJS.ReadableStream): Promise<void> => {
  const lines = createInterface({ input: progress })[Symbol.asyncIterator]();
  for (;;) {
    const line = await within(SILENCE_MS, 'the download', lines.next());
    if (line.done === true) return;
    const { error } = JSON.parse(line.value) as { error?: string };
    if (error !== undefined) throw new Error(error);
  }
};

const pull = async (image: string): Promise<void> => {
  const registry = ImageName.fromString(image).registry ?? DEFAULT_REGISTRY;
  const earlier = silentRegistries.get(registry);
  if (earlier !== undefined) throw earlier;
  const { dockerode } = (await getContainerRuntimeClient()).container;
  try {
    await download(await within(CONTACT_MS, `the registry ${registry}`, dockerode.pull(image)));
  } catch (error) {
    // 404: the registry answers that it does not have the image.
    const isAnswer = error instanceof Error && 'statusCode' in error && error.statusCode === 404;
    if (!isAnswer && error instanceof Error) silentRegistries.set(registry, error);
    throw error;
  }
};

/**
 * Pulls the image if Docker does not have it. Throws within seconds if the registry cannot be reached, and at once if an
 * earlier call could not reach it.
 */
export const provideImage = async (image: string): Promise<void> => {
  const name = ImageName.fromString(image);
  const { image: images } = await getContainerRuntimeClient();
  if (!(await images.exists(name))) await pull(name.string);
};

/** Whether an error means that an image is not available. */
export const isImageUnavailable = (error: unknown): boolean =>
  error instanceof Error && /registry|pull access|no such host|manifest/i.test(error.message);

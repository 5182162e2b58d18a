import type { BlobStore } from '@palimpsest/core';
import type { GcsTiming } from '@palimpsest/gcs';

/** Short waits between attempts, and time enough for a busy machine. */
export const brisk: Partial<GcsTiming> = {
  attemptMs: 1_000,
  totalMs: 15_000,
  checkMs: 10_000,
  firstDelayMs: 5,
  maxDelayMs: 50,
};

/** For what is to be given up. */
export const impatient: Partial<GcsTiming> = { ...brisk, attemptMs: 400, totalMs: 2_000 };
/** For what is to be given up where only a sign of life is wanted. */
export const impatientChecks: Partial<GcsTiming> = { ...brisk, checkMs: 2_000 };

export const MIB = 1_048_576;

/** The bytes in chunks of `size`. */
export async function* chunksOf(bytes: Uint8Array, size = 70_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The bytes, and then an error. */
export async function* breakingAfter(bytes: Uint8Array, fault: Error): AsyncGenerator<Uint8Array> {
  yield* chunksOf(bytes);
  throw fault;
}

export const readAll = async (chunks: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks ?? []) all.push(chunk);
  return Buffer.concat(all);
};

export const keysIn = async (store: BlobStore): Promise<readonly string[]> => {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys.toSorted();
};

export const rejectionOf = async (work: Promise<unknown>): Promise<Error> => {
  const error: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof Error)) throw new TypeError('It was not refused with an error');
  return error;
};

/** Resolves when `holds` gives true; throws after 5 s. */
export const until = async (holds: () => boolean): Promise<void> => {
  const end = performance.now() + 5_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error('It never came to hold');
    await new Promise((resolve) => setImmediate(resolve));
  }
};

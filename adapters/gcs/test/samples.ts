import { mock } from 'node:test';
import type { BlobStore } from '@palimpsest/core';
import type { GcsTiming } from '@palimpsest/gcs';
import type { ScriptedGcs } from './scripted-gcs.ts';

/** No delay between attempts, and a timeout that is too long to fire in a test. */
export const noDelays = { attemptTimeoutMs: 600_000, totalMs: 600_000, firstDelayMs: 0 } satisfies Partial<GcsTiming>;

/**
 * From now on, the attempt of each stalled request times out at once. Stops the timers of this process until
 * `mock.timers.reset()`.
 */
export const timeOutStalledRequests = (server: ScriptedGcs): void => {
  mock.timers.enable({ apis: ['setTimeout'] });
  server.onStall = () => mock.timers.tick(noDelays.attemptTimeoutMs);
};

export const MIB = 1_048_576;

/** The bytes in chunks of `size`. */
export async function* chunksOf(bytes: Uint8Array, size = 70_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The bytes in chunks, then `fault` is thrown. */
export async function* failingAfter(bytes: Uint8Array, fault: Error): AsyncGenerator<Uint8Array> {
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

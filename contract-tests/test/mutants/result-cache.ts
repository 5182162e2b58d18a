import { createHash } from 'node:crypto';
import type { Cancellation } from '@palimpsest/core';

const digestOf = (parts: readonly unknown[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part instanceof Uint8Array ? part : JSON.stringify(part)).update('\0');
  return hash.digest('hex');
};

/**
 * Caches the results of slow work, which is done once for all mutants. Equal `parts` mean the same work. A result is
 * copied each time, and an aborted signal still throws its reason.
 */
export class ResultCache {
  readonly #results = new Map<string, Promise<unknown>>();

  async once<R>(parts: readonly unknown[], signal: Cancellation, work: () => Promise<R>): Promise<R> {
    signal.throwIfAborted();
    const key = digestOf(parts);
    const result = (this.#results.get(key) as Promise<R> | undefined) ?? work();
    this.#results.set(key, result);
    const copy = structuredClone(await result);
    signal.throwIfAborted();
    return copy;
  }
}

import type { ChildPool } from '@palimpsest/child-process';
import type { Cancellation, GreyImage, PageImageEncoder } from '@palimpsest/core';
import type { ImageRequest } from './requests.ts';

/** Encodes page images as PNG files, with sharp in a child process. */
export class SharpPageImageEncoder implements PageImageEncoder {
  readonly mediaType = 'image/png';
  readonly #pool: ChildPool;

  constructor(pool: ChildPool) {
    this.#pool = pool;
  }

  encode(image: GreyImage, timeoutMs: number, signal: Cancellation): Promise<Uint8Array> {
    const request: ImageRequest = { kind: 'encode', image };
    return this.#pool.run<Uint8Array>(request, { timeoutMs, signal });
  }
}

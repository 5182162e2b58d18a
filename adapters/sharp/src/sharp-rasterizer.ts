import type { ChildPool } from '@palimpsest/child-process';
import type { Cancellation, DecodeLimits, RasterDocument, Rasterizer } from '@palimpsest/core';
import type { DecodedAnswer, ImageRequest } from './requests.ts';

const SUBJECT = 'The image';

/** Opens JPEG and PNG files as documents of one page. sharp decodes them in a child process. */
export class SharpRasterizer implements Rasterizer {
  readonly mediaTypes = ['image/jpeg', 'image/png'];
  readonly #pool: ChildPool;

  constructor(pool: ChildPool) {
    this.#pool = pool;
  }

  /** Checks the header; `render` decodes the image. */
  async open(file: Uint8Array, limits: DecodeLimits, signal: Cancellation): Promise<RasterDocument> {
    const inspect: ImageRequest = { kind: 'inspect', file, maxPixels: limits.maxPixels };
    await this.#pool.run(inspect, { timeoutMs: limits.timeoutMs, signal, subject: SUBJECT });
    let kept: Uint8Array | undefined = file;
    return {
      pageCount: 1,
      render: async (number, { maxPixels, timeoutMs }, signal) => {
        if (kept === undefined) throw new TypeError('The document is closed.');
        if (number !== 1) throw new TypeError(`There is no page ${number}.`);
        const decode: ImageRequest = { kind: 'decode', file: kept, maxPixels };
        return this.#pool.run<DecodedAnswer>(decode, { timeoutMs, signal, subject: SUBJECT });
      },
      close: async () => {
        kept = undefined;
      },
    };
  }
}

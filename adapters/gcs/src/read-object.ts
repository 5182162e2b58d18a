import { RunningCrc32c } from './crc32c.ts';
import { TransientFault } from './errors.ts';
import { refusalOf, type GcsApi } from './gcs-api.ts';
import { Patience, within } from './retry.ts';
import type { StoredObject } from './stored-object.ts';

/** A download that is under way. */
class Download {
  readonly #api: GcsApi;
  readonly #controller: AbortController;
  readonly #body: ReadableStreamDefaultReader<Uint8Array>;

  constructor(api: GcsApi, controller: AbortController, body: ReadableStreamDefaultReader<Uint8Array>) {
    this.#api = api;
    this.#controller = controller;
    this.#body = body;
  }

  async next(ms: number): Promise<Uint8Array> {
    const bytes = await within(ms, this.#controller, () => this.#api.readNext(this.#body, this.#controller.signal));
    if (bytes === undefined) throw new TransientFault('A download ended before its end');
    return bytes;
  }

  /** Closes the connection, unless all of the answer has come. */
  close(): void {
    this.#controller.abort(new TransientFault('A download is not read on'));
  }
}

/** Begins to download the object, of this generation and no other, from `at` on up to `end` (exclusive). */
const download = async (api: GcsApi, object: StoredObject, at: number, end: number, ms: number): Promise<Download> => {
  const controller = new AbortController();
  const { signal } = controller;
  const { generation, byteSize } = object;
  const whole = at === 0 && end === byteSize;
  const url = api.objectUrl(object.name, { alt: 'media', generation });
  const headers: Record<string, string> = whole ? {} : { range: `bytes=${at}-${end - 1}` };
  return await within(ms, controller, async () => {
    const response = await api.send({ url, headers }, signal);
    if (response.status === 404) {
      await api.read(response, signal);
      throw new Error('A stored file was removed while it was read');
    }
    if (response.status !== 200 && response.status !== 206) throw refusalOf(await api.read(response, signal));
    const reader = response.body?.getReader();
    const start = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? '0';
    const other = (response.headers.get('x-goog-generation') ?? generation) !== generation;
    const encoded = !['', 'identity'].includes(response.headers.get('content-encoding') ?? '');
    if (reader === undefined || Number(start) !== at || other || encoded) {
      controller.abort();
      throw new Error('The storage answered with other bytes than it was asked for');
    }
    return new Download(api, controller, reader);
  });
};

/**
 * The bytes of an object from `start` up to `end` (exclusive, at most its size). Nothing is asked for before the first
 * ones are. A download that breaks is taken up where it broke. An object read whole is compared with its checksum before
 * its last bytes are given. Throws `SERVICE_UNAVAILABLE` when nothing more comes in time.
 */
export async function* readObject(api: GcsApi, object: StoredObject, start: number, end: number): AsyncGenerator<Uint8Array> {
  const crc32c = start === 0 && end === object.byteSize ? new RunningCrc32c() : undefined;
  const patience = new Patience(api.timing);
  let source: Download | undefined;
  try {
    for (let at = start; at < end; ) {
      let bytes: Uint8Array;
      try {
        source ??= await download(api, object, at, end, patience.attemptMs);
        bytes = (await source.next(patience.attemptMs)).subarray(0, end - at);
      } catch (error) {
        source?.close();
        source = undefined;
        await patience.wait(error);
        continue;
      }
      at += bytes.length;
      crc32c?.update(bytes);
      if (at === end && crc32c !== undefined && crc32c.toString() !== object.crc32c) {
        throw new Error('A stored file is not what its checksum says');
      }
      yield bytes;
      patience.renew(); // the time that the reader took is not the store's
    }
  } finally {
    source?.close();
  }
}

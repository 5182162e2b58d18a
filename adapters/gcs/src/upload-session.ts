import type { FileMetadata } from '@google-cloud/storage';
import { GcsRefusal, isRefusal, TransientFault, unavailable } from './errors.ts';
import type { GcsClient } from './gcs-client.ts';
import { Patience, retried } from './retry.ts';
import { objectOf, type Resource, type StoredObject } from './stored-object.ts';

const RESUME = 308; // there is more to come; `Range` tells what has arrived

interface Answer {
  readonly resource: Resource | undefined; // when the object is stored
  readonly arrived: number; // else how much of it
}

/** The part of a request to the client that is used here. */
interface SessionRequest {
  readonly method: 'PUT' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Without a `Range`, nothing has arrived. */
const arrivedBy = (range: string | undefined): number => {
  const last = /^bytes=0-(\d+)$/.exec(range ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
};

/**
 * A resumable upload (https://cloud.google.com/storage/docs/performing-resumable-uploads#chunked-upload), begun by the
 * client, which makes its requests too. What they say is said here, as an upload stream of the client ends with
 * `RangeError`, and all that was sent is lost, where the service is away for so long that it cannot say either what of a
 * broken piece has arrived: for a second. It also knows no way to cancel.
 */
export class UploadSession {
  readonly #client: GcsClient;
  readonly #uri: string;

  constructor(client: GcsClient, uri: string) {
    this.#client = client;
    this.#uri = uri;
  }

  /**
   * Sends the bytes that follow the first `offset` ones. The object when it is stored, which it is not before its `last`
   * bytes with the checksum of all have come; else `undefined`. Where an attempt broke, asks what has arrived and sends
   * what has not. Throws `SERVICE_UNAVAILABLE` when the time is up or the session is lost.
   */
  async send(bytes: Buffer, offset: number, last: boolean, crc32c: string): Promise<StoredObject | undefined> {
    const end = offset + bytes.length;
    const total = last ? String(end) : '*';
    let at = offset;
    let sure = true; // that the first `at` bytes have arrived, and no more
    return await retried(new Patience(this.#client.timing), async (signal) => {
      for (;;) {
        const before = at;
        const asking = !sure;
        sure = false;
        const answer = asking
          ? await this.#put(signal, 'bytes */*')
          : at < end
            ? await this.#put(
                signal,
                `bytes ${at}-${end - 1}/${total}`,
                bytes.subarray(at - offset),
                last ? crc32c : undefined,
              )
            : await this.#put(signal, `bytes */${total}`, undefined, crc32c);
        if (answer.resource) return objectOf(answer.resource);
        at = answer.arrived;
        if (at < offset || at > end) throw unavailable(new Error('The storage has lost a part of an upload'));
        sure = true;
        if (at === end && !last) return undefined;
        if (at === before && !asking) throw new TransientFault('The storage took nothing of what was sent');
      }
    });
  }

  /** Gives the upload up; what has come of it is removed. Throws `SERVICE_UNAVAILABLE` soon if that cannot be said. */
  async cancel(): Promise<void> {
    await retried(new Patience(this.#client.timing, this.#client.timing.checkMs), async (signal) => {
      try {
        await this.#request(signal, { method: 'DELETE', headers: { 'content-length': '0' } });
      } catch (error) {
        // 499 is how the service agrees; whatever else it answers, there is nothing more to be done.
        if (!(error instanceof GcsRefusal)) throw error;
      }
    });
  }

  async #put(signal: AbortSignal, range: string, body: Buffer = Buffer.alloc(0), crc32c?: string): Promise<Answer> {
    const headers = { 'content-range': range, ...(crc32c === undefined ? {} : { 'x-goog-hash': `crc32c=${crc32c}` }) };
    try {
      return await this.#request(signal, { method: 'PUT', headers, body });
    } catch (error) {
      throw isRefusal(error, 404, 410) ? unavailable(error) : error;
    }
  }

  async #request(signal: AbortSignal, request: SessionRequest): Promise<Answer> {
    return await this.#client.attempt(
      signal,
      async (bucket) =>
        await new Promise((resolve, reject) => {
          bucket.request({ ...request, uri: this.#uri }, (error, resource, response) => {
            if (!error) resolve({ resource: resource as Resource, arrived: 0 });
            else if (response?.statusCode === RESUME)
              resolve({ resource: undefined, arrived: arrivedBy(response.headers['range']) });
            else reject(error);
          });
        }),
    );
  }
}

/** Begins an upload of what must not be there yet. Throws a refusal with 412 if it is. */
export const startUpload = async (client: GcsClient, name: string, metadata: FileMetadata): Promise<UploadSession> => {
  const [uri] = await client.call((bucket) =>
    bucket.file(name).createResumableUpload({ metadata, preconditionOpts: { ifGenerationMatch: 0 } }),
  );
  if (!client.trusts(uri)) throw new Error('The storage led an upload elsewhere');
  return new UploadSession(client, uri);
};

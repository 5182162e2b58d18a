import type { Readable } from 'node:stream';
import { CRC32C, type Bucket } from '@google-cloud/storage';
import { isRefusal, TransientFault } from './errors.ts';
import type { GcsClient } from './gcs-client.ts';
import { Patience, within } from './retry.ts';
import type { StoredObject } from './stored-object.ts';

/** What the client shows of an answer before its bytes: their stream, with the headers. */
interface MediaAnswer extends Readable {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A download that is under way, of one generation and no other, from `at` on up to `end` (exclusive). */
class Download {
  readonly #client: GcsClient;
  readonly #object: StoredObject;
  readonly #at: number;
  readonly #end: number;
  readonly #controller = new AbortController();
  #stream: Readable | undefined;
  #bytes: AsyncIterator<Buffer> | undefined;

  constructor(client: GcsClient, object: StoredObject, at: number, end: number) {
    this.#client = client;
    this.#object = object;
    this.#at = at;
    this.#end = end;
  }

  /** The next bytes. Throws a `TransientFault` where they are not there within `ms`. */
  async next(ms: number): Promise<Buffer> {
    const { signal } = this.#controller;
    try {
      const { value, done } = await within(
        ms,
        this.#controller,
        async () => await this.#client.attempt(signal, async (bucket) => await this.#read(bucket)),
      );
      if (done) throw new TransientFault('A download ended before its end');
      return value;
    } catch (error) {
      throw isRefusal(error, 404) ? new Error('A stored file was removed while it was read', { cause: error }) : error;
    }
  }

  /** Closes the connection, unless all of the answer has come. */
  close(): void {
    this.#stream?.destroy();
    this.#controller.abort(new TransientFault('A download is not read on'));
  }

  async #read(bucket: Bucket): Promise<IteratorResult<Buffer, undefined>> {
    this.#bytes ??= this.#begin(bucket);
    return await this.#bytes.next();
  }

  #begin(bucket: Bucket): AsyncIterator<Buffer, undefined> {
    const { name, generation, byteSize } = this.#object;
    const whole = this.#at === 0 && this.#end === byteSize;
    const stream = bucket.file(name, { generation }).createReadStream({
      decompress: false,
      validation: false,
      ...(whole ? {} : { start: this.#at, end: this.#end - 1 }),
    });
    this.#stream = stream;
    stream.on('error', () => undefined); // is told to who reads, and comes late where nobody does any more
    stream.on('response', (answer: MediaAnswer) => {
      answer.setMaxListeners(0); // the client itself listens more than ten times
      if (answer.statusCode < 300 && !this.#isAsked(answer))
        stream.destroy(new Error('The storage answered with other bytes than it was asked for'));
    });
    return stream[Symbol.asyncIterator]();
  }

  #isAsked({ headers }: MediaAnswer): boolean {
    const start = /^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? '0';
    const { generation } = this.#object;
    return (
      Number(start) === this.#at &&
      (headers['x-goog-generation'] ?? generation) === generation &&
      ['', 'identity'].includes(headers['content-encoding'] ?? '')
    );
  }
}

/**
 * The bytes of an object from `start` up to `end` (exclusive, at most its size). Nothing is asked for before the first
 * ones are. A download that breaks is taken up where it broke. An object read whole is compared with its checksum before
 * its last bytes are given. Throws `SERVICE_UNAVAILABLE` when nothing more comes in time.
 */
export async function* readObject(
  client: GcsClient,
  object: StoredObject,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  const crc32c = start === 0 && end === object.byteSize ? new CRC32C() : undefined;
  const patience = new Patience(client.timing);
  let source: Download | undefined;
  try {
    for (let at = start; at < end;) {
      let bytes: Buffer;
      try {
        source ??= new Download(client, object, at, end);
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

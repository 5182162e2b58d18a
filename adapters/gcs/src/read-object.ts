import type { Readable } from 'node:stream';
import { CRC32C, type Bucket } from '@google-cloud/storage';
import { isRefusal, TransientFault } from './errors.ts';
import type { GcsClient } from './gcs-client.ts';
import type { StoredObject } from './stored-object.ts';

/** The stream of an answer, with its headers. */
interface MediaAnswer extends Readable {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A running download of one generation of an object, from byte `start` up to `end` (exclusive). */
class Download {
  readonly #client: GcsClient;
  readonly #object: StoredObject;
  readonly #start: number;
  readonly #end: number;
  readonly #controller = new AbortController();
  #stream: Readable | undefined;
  #bytes: AsyncIterator<Buffer> | undefined;

  constructor(client: GcsClient, object: StoredObject, start: number, end: number) {
    this.#client = client;
    this.#object = object;
    this.#start = start;
    this.#end = end;
  }

  /** The next bytes. Throws {@link TransientFault} if the connection breaks or nothing arrives in time. */
  async next(): Promise<Buffer> {
    try {
      const { value, done } = await this.#client.attempt(
        async (bucket) => await (this.#bytes ??= this.#open(bucket)).next(),
        this.#client.timing,
        this.#controller,
      );
      if (done) throw new TransientFault('A download ended too early');
      return value;
    } catch (error) {
      throw isRefusal(error, 404) ? new Error('A stored file was deleted during a read', { cause: error }) : error;
    }
  }

  /** Closes the connection, unless the whole answer has arrived. */
  close(): void {
    this.#stream?.destroy();
    this.#controller.abort(new TransientFault('The download was closed'));
  }

  #open(bucket: Bucket): AsyncIterator<Buffer, undefined> {
    const { name, generation, byteSize } = this.#object;
    const isWhole = this.#start === 0 && this.#end === byteSize;
    const stream = bucket.file(name, { generation }).createReadStream({
      decompress: false,
      validation: false,
      ...(isWhole ? {} : { start: this.#start, end: this.#end - 1 }),
    });
    this.#stream = stream;
    stream.on('error', () => undefined); // the iterator throws the error; after `close` there is no other listener
    stream.on('response', (answer: MediaAnswer) => {
      answer.setMaxListeners(0); // the client itself adds more than ten listeners
      if (answer.statusCode < 300 && !this.#isRequestedPart(answer))
        stream.destroy(new Error('The storage answered with other bytes than requested'));
    });
    return stream[Symbol.asyncIterator]();
  }

  #isRequestedPart({ headers }: MediaAnswer): boolean {
    const start = /^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? '0';
    const { generation } = this.#object;
    return (
      Number(start) === this.#start &&
      (headers['x-goog-generation'] ?? generation) === generation &&
      ['', 'identity'].includes(headers['content-encoding'] ?? '')
    );
  }
}

/**
 * The bytes of an object from `start` up to `end` (exclusive, at most its size). The first request is made when the
 * first bytes are read. After a broken download, the next request continues at the same byte. When the whole object is
 * read, its checksum is verified before the last bytes are yielded. Throws `SERVICE_UNAVAILABLE` after the last retry.
 */
export async function* readObject(
  client: GcsClient,
  object: StoredObject,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  const crc32c = start === 0 && end === object.byteSize ? new CRC32C() : undefined;
  let download: Download | undefined;
  const nextFrom = async (at: number): Promise<Buffer> => {
    try {
      download ??= new Download(client, object, at, end);
      return await download.next();
    } catch (error) {
      download?.close();
      download = undefined;
      throw error;
    }
  };
  try {
    for (let at = start; at < end;) {
      const bytes = (await client.retry(() => nextFrom(at))).subarray(0, end - at);
      at += bytes.length;
      crc32c?.update(bytes);
      if (at === end && crc32c !== undefined && crc32c.toString() !== object.crc32c)
        throw new Error('The checksum of a stored file does not match its bytes');
      yield bytes;
    }
  } finally {
    download?.close();
  }
}

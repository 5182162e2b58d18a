import { randomUUID } from 'node:crypto';
import { CRC32C, type FileMetadata } from '@google-cloud/storage';
import { isRefusal, unavailable } from './errors.ts';
import type { GcsClient } from './gcs-client.ts';
import { piecesOf } from './pieces.ts';
import { findObject, KEY_MARK, objectOf, PUT_MARK, type StoredObject } from './stored-object.ts';
import { startUpload, type UploadSession } from './upload-session.ts';

/** Told of faults that were survived, with what was being done. */
export type OnFault = (error: unknown, doing: string) => void;

/**
 * How much is sent at once, and kept until it has arrived: a multiple of 256 KiB, as the service asks. Each put holds it
 * about twice while it sends. What is not longer goes in one request.
 */
export const PIECE_BYTES = 1_048_576;
const MEDIA_TYPE = 'application/octet-stream'; // which nobody compresses or shows on the way

/** Stores one object, which must not be there yet. For one call of `run`. */
export class ObjectPut {
  readonly #client: GcsClient;
  readonly #name: string;
  readonly #onFault: OnFault;
  readonly #id = randomUUID();
  readonly #metadata: FileMetadata;
  readonly #crc32c = new CRC32C();
  #session: UploadSession | undefined;
  #byteSize = 0;
  #ours = false; // whether what is thrown now is of this adapter, and not of the source
  #finishing = false; // whether the object may exist

  constructor(client: GcsClient, name: string, key: string, onFault: OnFault) {
    this.#client = client;
    this.#name = name;
    this.#onFault = onFault;
    this.#metadata = { contentType: MEDIA_TYPE, metadata: { [KEY_MARK]: key, [PUT_MARK]: this.#id } };
  }

  /** Stores what `source` yields and resolves with its length. Throws as `BlobStore.put` does. */
  async run(source: AsyncIterable<Uint8Array>): Promise<number> {
    const stored = await this.#storedOrFound(source);
    if (stored.byteSize !== this.#byteSize || stored.crc32c !== this.#crc32c.toString()) await this.#discard(stored);
    return this.#byteSize;
  }

  async #storedOrFound(source: AsyncIterable<Uint8Array>): Promise<StoredObject> {
    try {
      return await this.#store(source);
    } catch (error) {
      await this.#cancel();
      if (!this.#ours) throw error;
      // The object may have been stored and only the answer lost, whatever the error says; cancelled, it stays as it is.
      const found = this.#finishing ? await this.#found() : undefined;
      if (found) return found;
      throw isRefusal(error, 412) ? new TypeError('A blob with this key is stored already', { cause: error }) : error;
    }
  }

  async #store(source: AsyncIterable<Uint8Array>): Promise<StoredObject> {
    for await (const { bytes, last } of piecesOf(source, PIECE_BYTES)) {
      this.#ours = true;
      this.#crc32c.update(bytes);
      this.#finishing = last;
      const offset = this.#byteSize;
      this.#byteSize += bytes.length;
      if (last && !this.#session) return await this.#sendWhole(bytes);
      this.#session ??= await startUpload(this.#client, this.#name, this.#metadata);
      const stored = await this.#session.send(bytes, offset, last, this.#crc32c.toString());
      if (stored) return last ? stored : await this.#discard(stored);
      this.#ours = false;
    }
    throw new Error('The storage took all that was sent and stored no object');
  }

  /** One request with metadata and bytes; the service compares them with their checksum before it stores them. */
  async #sendWhole(bytes: Buffer): Promise<StoredObject> {
    const metadata = { ...this.#metadata, crc32c: this.#crc32c.toString() };
    return await this.#client.call(async (bucket) => {
      const file = bucket.file(this.#name);
      // Were it to validate, the client would delete what is stored by then under the name, whoever wrote it.
      await file.save(bytes, {
        resumable: false,
        validation: false,
        metadata,
        preconditionOpts: { ifGenerationMatch: 0 },
      });
      return objectOf(file.metadata);
    });
  }

  /** The object if this put wrote it. */
  async #found(): Promise<StoredObject | undefined> {
    const found = await findObject(this.#client, this.#name, this.#client.timing.checkMs);
    return found?.marks[PUT_MARK] === this.#id ? found : undefined;
  }

  async #cancel(): Promise<void> {
    try {
      await this.#session?.cancel();
    } catch (error) {
      this.#onFault(error, 'cancel an upload'); // the service forgets it after a week
    }
  }

  /** Removes what this put wrote, and nothing that came after it. Throws `SERVICE_UNAVAILABLE`: the way there is at fault. */
  async #discard({ generation }: StoredObject): Promise<never> {
    const options = { ifGenerationMatch: generation, ignoreNotFound: true };
    try {
      await this.#client.call((bucket) => bucket.file(this.#name).delete(options), this.#client.timing.checkMs);
    } catch (error) {
      if (!isRefusal(error, 412)) this.#onFault(error, 'remove an object that is not what was sent');
    }
    throw unavailable(new Error('What was stored is not what was sent'));
  }
}

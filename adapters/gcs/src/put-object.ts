import { randomUUID } from 'node:crypto';
import { RunningCrc32c } from './crc32c.ts';
import { isRefusal, unavailable } from './errors.ts';
import type { GcsApi } from './gcs-api.ts';
import { piecesOf } from './pieces.ts';
import { KEY_MARK, OBJECT_FIELDS, parseObject, PUT_MARK, type StoredObject } from './stored-object.ts';
import { startUpload, type UploadSession } from './upload-session.ts';

/** Told of faults that were survived, with what was being done. */
export type OnFault = (error: unknown, doing: string) => void;

/**
 * How much is sent at once, and kept until it has arrived: a multiple of 256 KiB, as the service asks. Each put holds it
 * about twice while it sends. What is not longer goes in one request.
 */
export const PIECE_BYTES = 1_048_576;
const MEDIA_TYPE = 'application/octet-stream'; // which nobody compresses or shows on the way

interface Metadata {
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Stores one object, which must not be there yet. For one call of `run`. */
export class ObjectPut {
  readonly #api: GcsApi;
  readonly #name: string;
  readonly #onFault: OnFault;
  readonly #id = randomUUID();
  readonly #metadata: Metadata;
  readonly #crc32c = new RunningCrc32c();
  #session: UploadSession | undefined;
  #byteSize = 0;
  #ours = false; // whether what is thrown now is of this adapter, and not of the source
  #finishing = false; // whether the object may exist

  constructor(api: GcsApi, name: string, key: string, onFault: OnFault) {
    this.#api = api;
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
      this.#session ??= await startUpload(this.#api, this.#name, this.#metadata);
      const stored = await this.#session.send(bytes, offset, last, this.#crc32c.toString());
      if (stored) return last ? stored : await this.#discard(stored);
      this.#ours = false;
    }
    throw new Error('The storage took all that was sent and stored no object');
  }

  /** One request with metadata and bytes (https://cloud.google.com/storage/docs/json_api/v1/how-tos/multipart-upload). */
  async #sendWhole(bytes: Uint8Array): Promise<StoredObject> {
    const border = `piece-${this.#id}`;
    const metadata = JSON.stringify({ ...this.#metadata, crc32c: this.#crc32c.toString() });
    const head = `--${border}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${metadata}\r\n--${border}\r\ncontent-type: ${MEDIA_TYPE}\r\n\r\n`;
    const { text } = await this.#api.call({
      method: 'POST',
      url: this.#api.uploadUrl({ uploadType: 'multipart', name: this.#name, ifGenerationMatch: '0' }),
      headers: { 'content-type': `multipart/related; boundary=${border}` },
      body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${border}--\r\n`)]),
    });
    return parseObject(text);
  }

  /** The object if this put wrote it. */
  async #found(): Promise<StoredObject | undefined> {
    const answer = await this.#api.call({ url: this.#api.objectUrl(this.#name, { fields: OBJECT_FIELDS }) }, [404], this.#api.timing.checkMs);
    if (answer.status === 404) return undefined;
    const found = parseObject(answer.text);
    return found.marks[PUT_MARK] === this.#id ? found : undefined;
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
    try {
      await this.#api.call({ method: 'DELETE', url: this.#api.objectUrl(this.#name, { ifGenerationMatch: generation }) }, [404, 412], this.#api.timing.checkMs);
    } catch (error) {
      this.#onFault(error, 'remove an object that is not what was sent');
    }
    throw unavailable(new Error('What was stored is not what was sent'));
  }
}

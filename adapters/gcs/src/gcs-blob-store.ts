import type { BlobInfo, BlobStore, ByteRange } from '@palimpsest/core';
import type { GcsApi } from './gcs-api.ts';
import { ObjectPut, type OnFault } from './put-object.ts';
import { readObject } from './read-object.ts';
import { KEY_MARK, OBJECT_FIELDS, parseObject, parsePage, type StoredObject } from './stored-object.ts';

const KEY = /^[a-z0-9][a-z0-9/-]{0,199}$/;
const isKey = (text: string): boolean => KEY.test(text) && !text.includes('//');

const NEEDED = ['storage.objects.create', 'storage.objects.delete', 'storage.objects.get', 'storage.objects.list'];

/**
 * Keeps each blob as an object of one bucket of Google Cloud Storage, named `PREFIX/KEY`. Any number of processes may
 * use the same bucket and prefix, and stores with other prefixes and other programs the same bucket: only objects that
 * were put under this prefix, by their metadata, are listed. Throws `SERVICE_UNAVAILABLE` where the service cannot be
 * reached in time, and `GcsRefusal` where it refuses.
 */
export class GcsBlobStore implements BlobStore {
  readonly #api: GcsApi;
  readonly #bucket: string;
  readonly #folder: string;
  readonly #pageSize: number;
  readonly #onFault: OnFault;

  constructor(api: GcsApi, bucket: string, prefix: string, pageSize: number, onFault: OnFault) {
    this.#api = api;
    this.#bucket = bucket;
    this.#folder = prefix === '' ? '' : `${prefix}/`;
    this.#pageSize = pageSize;
    this.#onFault = onFault;
  }

  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    return await new ObjectPut(this.#api, this.#nameOf(key), key, this.#onFault).run(source);
  }

  async get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { start, end } = range ?? { start: 0, end: Number.MAX_SAFE_INTEGER - 1 };
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
      throw new TypeError(`Not a range of bytes: ${start} to ${end}`);
    }
    const object = await this.#find(key);
    return object && readObject(this.#api, object, start, Math.min(end + 1, object.byteSize));
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    const object = await this.#find(key);
    return object && { key, byteSize: object.byteSize, storedAt: object.storedAt };
  }

  async delete(key: string): Promise<void> {
    await this.#api.call({ method: 'DELETE', url: this.#api.objectUrl(this.#nameOf(key)) }, [404]);
  }

  async *list(): AsyncGenerator<BlobInfo> {
    const query = { prefix: this.#folder, maxResults: String(this.#pageSize), fields: `nextPageToken,items(${OBJECT_FIELDS})` };
    let next: string | undefined;
    do {
      const url = this.#api.url('o', { ...query, ...(next === undefined ? {} : { pageToken: next }) });
      const page = parsePage((await this.#api.call({ url })).text);
      for (const { name, byteSize, storedAt, marks } of page.objects) {
        const key = name.slice(this.#folder.length);
        // What others keep in the bucket is not ours, even if its name could be a key: who lists may delete.
        if (name.startsWith(this.#folder) && isKey(key) && marks[KEY_MARK] === key) yield { key, byteSize, storedAt };
      }
      next = page.next;
    } while (next !== undefined);
  }

  /** Asks whether the credentials allow all that is needed, which reads and writes nothing, and for which all may ask. */
  async check(): Promise<void> {
    const url = this.#api.url('iam/testPermissions');
    for (const permission of NEEDED) url.searchParams.append('permissions', permission);
    const { status, text } = await this.#api.call({ url }, [404, 405, 501], this.#api.timing.checkMs);
    if (status !== 200) return await this.#checkBucket(); // no bucket, or an emulator that knows no permissions
    const { permissions = [] } = JSON.parse(text) as { permissions?: readonly string[] };
    const missing = NEEDED.filter((permission) => !permissions.includes(permission));
    if (missing.length > 0) throw new Error(`The credentials lack ${missing.join(', ')} on the bucket ${this.#bucket}.`);
  }

  /** Throws if there is no bucket. */
  async #checkBucket(): Promise<void> {
    const url = this.#api.url('o', { prefix: this.#folder, maxResults: '1', fields: 'nextPageToken' });
    const { status } = await this.#api.call({ url }, [404], this.#api.timing.checkMs);
    if (status === 404) throw new Error(`There is no bucket ${this.#bucket} in Google Cloud Storage. Make it, or name another one.`);
  }

  async #find(key: string): Promise<StoredObject | undefined> {
    const answer = await this.#api.call({ url: this.#api.objectUrl(this.#nameOf(key), { fields: OBJECT_FIELDS }) }, [404]);
    if (answer.status !== 404) return parseObject(answer.text);
    await this.#checkBucket(); // the service says the same where the bucket is gone, which is no absence of one blob
    return undefined;
  }

  #nameOf(key: string): string {
    if (!isKey(key)) throw new TypeError(`Not a blob key: ${JSON.stringify(key.slice(0, 250))}`);
    return this.#folder + key;
  }
}

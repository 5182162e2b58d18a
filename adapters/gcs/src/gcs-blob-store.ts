import type { Bucket, GetFilesOptions } from '@google-cloud/storage';
import type { BlobInfo, BlobStore, ByteRange } from '@palimpsest/core';
import { isRefusal } from './errors.ts';
import type { GcsClient } from './gcs-client.ts';
import { ObjectPut, type OnFault } from './put-object.ts';
import { readObject } from './read-object.ts';
import { KEY_MARK, findObject, OBJECT_FIELDS, objectOf, type Resource, type StoredObject } from './stored-object.ts';

const KEY = /^[a-z0-9][a-z0-9/-]{0,199}$/;
interface Page {
  readonly items?: readonly Resource[];
  readonly nextPageToken?: string;
}

const isKey = (text: string): boolean => KEY.test(text) && !text.includes('//');

const NEEDED = ['storage.objects.create', 'storage.objects.delete', 'storage.objects.get', 'storage.objects.list'];

/** A page as it was answered; the client takes an answer of another form for an empty page. */
const pageOf = async (bucket: Bucket, query: GetFilesOptions): Promise<Page> => {
  const page: unknown = (await bucket.getFiles(query))[2];
  if (typeof page !== 'object' || page === null) throw new Error('The storage listed objects in an unknown form');
  return page;
};

/**
 * Keeps each blob as an object of one bucket of Google Cloud Storage, named `PREFIX/KEY`. Any number of processes may
 * use the same bucket and prefix, and stores with other prefixes and other programs the same bucket: only objects that
 * were put under this prefix, by their metadata, are listed. Throws `SERVICE_UNAVAILABLE` where the service cannot be
 * reached in time, and `GcsRefusal` where it refuses.
 */
export class GcsBlobStore implements BlobStore {
  readonly #client: GcsClient;
  readonly #bucket: string;
  readonly #folder: string;
  readonly #pageSize: number;
  readonly #onFault: OnFault;

  constructor(client: GcsClient, bucket: string, prefix: string, pageSize: number, onFault: OnFault) {
    this.#client = client;
    this.#bucket = bucket;
    this.#folder = prefix === '' ? '' : `${prefix}/`;
    this.#pageSize = pageSize;
    this.#onFault = onFault;
  }

  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    return await new ObjectPut(this.#client, this.#nameOf(key), key, this.#onFault).run(source);
  }

  async get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { start, end } = range ?? { start: 0, end: Number.MAX_SAFE_INTEGER - 1 };
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
      throw new TypeError(`Not a range of bytes: ${start} to ${end}`);
    }
    const object = await this.#find(key);
    return object && readObject(this.#client, object, start, Math.min(end + 1, object.byteSize));
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    const object = await this.#find(key);
    return object && { key, byteSize: object.byteSize, storedAt: object.storedAt };
  }

  async delete(key: string): Promise<void> {
    const name = this.#nameOf(key);
    await this.#client.call((bucket) => bucket.file(name).delete({ ignoreNotFound: true }));
  }

  async *list(): AsyncGenerator<BlobInfo> {
    const query = {
      autoPaginate: false,
      prefix: this.#folder,
      maxResults: this.#pageSize,
      fields: `nextPageToken,items(${OBJECT_FIELDS})`,
    };
    let next: string | undefined;
    do {
      const pageToken = next;
      const page = await this.#client.call((bucket) =>
        pageOf(bucket, { ...query, ...(pageToken === undefined ? {} : { pageToken }) }),
      );
      for (const { name, byteSize, storedAt, marks } of (page.items ?? []).map(objectOf)) {
        const key = name.slice(this.#folder.length);
        // What others keep in the bucket is not ours, even if its name could be a key: who lists may delete.
        if (name.startsWith(this.#folder) && isKey(key) && marks[KEY_MARK] === key) yield { key, byteSize, storedAt };
      }
      next = page.nextPageToken === '' ? undefined : page.nextPageToken;
    } while (next !== undefined);
  }

  /** Asks whether the credentials allow all that is needed, which reads and writes nothing, and for which all may ask. */
  async check(): Promise<void> {
    let allowed: Readonly<Record<string, boolean>>;
    try {
      [allowed] = await this.#client.call(
        (bucket) => bucket.iam.testPermissions([...NEEDED]),
        this.#client.timing.checkMs,
      );
    } catch (error) {
      if (!isRefusal(error, 404, 405, 501)) throw error;
      return await this.#checkBucket(); // no bucket, or an emulator that knows no permissions
    }
    const missing = NEEDED.filter((permission) => allowed[permission] !== true);
    if (missing.length > 0)
      throw new Error(`The credentials lack ${missing.join(', ')} on the bucket ${this.#bucket}.`);
  }

  /** Throws if there is no bucket. */
  async #checkBucket(): Promise<void> {
    const query = { autoPaginate: false, prefix: this.#folder, maxResults: 1, fields: 'nextPageToken' };
    try {
      await this.#client.call((bucket) => pageOf(bucket, query), this.#client.timing.checkMs);
    } catch (error) {
      if (!isRefusal(error, 404)) throw error;
      throw new Error(`There is no bucket ${this.#bucket} in Google Cloud Storage. Make it, or name another one.`, {
        cause: error,
      });
    }
  }

  async #find(key: string): Promise<StoredObject | undefined> {
    const object = await findObject(this.#client, this.#nameOf(key));
    if (!object) await this.#checkBucket(); // the service says the same where the bucket is gone, which is no absence of one blob
    return object;
  }

  #nameOf(key: string): string {
    if (!isKey(key)) throw new TypeError(`Not a blob key: ${JSON.stringify(key.slice(0, 250))}`);
    return this.#folder + key;
  }
}

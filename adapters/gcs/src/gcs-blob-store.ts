import type { Bucket, GetFilesOptions } from '@google-cloud/storage';
import type { BlobInfo, BlobStore, ByteRange } from '@palimpsest/core';
import { isRefusal } from './errors.ts';
import type { GcsClient } from './gcs-client.ts';
import { putObject } from './put-object.ts';
import { readObject } from './read-object.ts';
import { checkTiming } from './timing.ts';
import { KEY_MARK, findObject, OBJECT_FIELDS, objectOf, type Resource, type StoredObject } from './stored-object.ts';

const KEY = /^[a-z0-9][a-z0-9/-]{0,199}$/;

interface Page {
  readonly items?: readonly Resource[];
  readonly nextPageToken?: string;
}

const isKey = (text: string): boolean => KEY.test(text) && !text.includes('//');

const REQUIRED_PERMISSIONS = [
  'storage.objects.create',
  'storage.objects.delete',
  'storage.objects.get',
  'storage.objects.list',
];

/**
 * One page of a listing as the service sent it. The client would treat an answer in an unknown format as an empty page.
 */
const pageOf = async (bucket: Bucket, query: GetFilesOptions): Promise<Page> => {
  const page: unknown = (await bucket.getFiles(query))[2];
  if (typeof page !== 'object' || page === null) throw new Error('The storage returned a listing in an unknown format');
  return page;
};

/**
 * Keeps each blob as an object in one bucket of Google Cloud Storage, named `PREFIX/KEY`. Any number of processes may
 * use the same bucket and prefix. Other programs may use the same bucket, because a listing returns only objects whose
 * metadata says that this store put them. A put buffers the whole blob in memory. Throws `SERVICE_UNAVAILABLE` if the
 * service cannot be reached in time, and `GcsRefusal` if it refuses a request.
 */
export class GcsBlobStore implements BlobStore {
  readonly #client: GcsClient;
  readonly #bucket: string;
  readonly #folder: string;
  readonly #pageSize: number;

  constructor(client: GcsClient, bucket: string, prefix: string, pageSize: number) {
    this.#client = client;
    this.#bucket = bucket;
    this.#folder = prefix === '' ? '' : `${prefix}/`;
    this.#pageSize = pageSize;
  }

  async put(key: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    return await putObject(this.#client, this.#nameOf(key), key, source);
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
        // An object of another program may have a valid key as its name. The cleanup job could delete it if it were
        // listed.
        if (name.startsWith(this.#folder) && isKey(key) && marks[KEY_MARK] === key) yield { key, byteSize, storedAt };
      }
      next = page.nextPageToken === '' ? undefined : page.nextPageToken;
    } while (next !== undefined);
  }

  /**
   * Checks the permissions of the credentials. The check needs no permission, and neither reads nor writes an object.
   */
  async check(): Promise<void> {
    let allowed: Readonly<Record<string, boolean>>;
    try {
      [allowed] = await this.#client.call(
        (bucket) => bucket.iam.testPermissions([...REQUIRED_PERMISSIONS]),
        checkTiming(this.#client.timing),
      );
    } catch (error) {
      if (!isRefusal(error, 404, 405, 501)) throw error;
      return await this.#checkBucket(); // the bucket is missing, or this is an emulator that has no permissions
    }
    const missing = REQUIRED_PERMISSIONS.filter((permission) => allowed[permission] !== true);
    if (missing.length > 0)
      throw new Error(`The credentials lack ${missing.join(', ')} on the bucket ${this.#bucket}.`);
  }

  /** Throws if the bucket does not exist. */
  async #checkBucket(): Promise<void> {
    const query = { autoPaginate: false, prefix: this.#folder, maxResults: 1, fields: 'nextPageToken' };
    try {
      await this.#client.call((bucket) => pageOf(bucket, query), checkTiming(this.#client.timing));
    } catch (error) {
      if (!isRefusal(error, 404)) throw error;
      throw new Error(
        `There is no bucket ${this.#bucket} in Google Cloud Storage. Create it, or configure another one.`,
        {
          cause: error,
        },
      );
    }
  }

  async #find(key: string): Promise<StoredObject | undefined> {
    const object = await findObject(this.#client, this.#nameOf(key));
    if (!object) await this.#checkBucket(); // the service also answers 404 if the bucket is missing
    return object;
  }

  #nameOf(key: string): string {
    if (!isKey(key)) throw new TypeError(`Not a blob key: ${JSON.stringify(key.slice(0, 250))}`);
    return this.#folder + key;
  }
}

/**
 * The place of the blobs. All object names begin with `prefix`, which has no slash at its end and may be empty.
 */
export interface GcsLocation {
  readonly bucket: string;
  readonly prefix: string;
}

const BUCKET = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/; // https://cloud.google.com/storage/docs/buckets#naming
const PREFIX = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/; // needs no escaping in URLs
const PREFIX_LENGTH = 800; // an object name has at most 1024 bytes, and a key at most 200

/** Returns `prefix` without a slash at its end. Throws `TypeError` if it is not valid. */
export const checkedPrefix = (prefix: string): string => {
  const bare = prefix.replace(/\/$/, '');
  if (bare === '') return bare;
  const dots = bare.split('/').some((part) => part === '.' || part === '..');
  if (!PREFIX.test(bare) || dots || bare.length > PREFIX_LENGTH)
    throw new TypeError(`Not a prefix for objects: ${JSON.stringify(prefix)}`);
  return bare;
};

/** Returns `bucket`. Throws `TypeError` if it is not a bucket name. */
export const checkedBucket = (bucket: string): string => {
  if (!BUCKET.test(bucket)) throw new TypeError(`Not the name of a bucket: ${JSON.stringify(bucket)}`);
  return bucket;
};

/** Parses `gs://BUCKET` or `gs://BUCKET/PREFIX`. Throws `TypeError` for any other text. */
export const parseGcsUrl = (url: string): GcsLocation => {
  const [, bucket, prefix = ''] = /^gs:\/\/([^/]*)(?:\/(.*))?$/s.exec(url) ?? [];
  if (bucket === undefined) throw new TypeError(`Not of the form gs://BUCKET/PREFIX: ${JSON.stringify(url)}`);
  return { bucket: checkedBucket(bucket), prefix: checkedPrefix(prefix) };
};

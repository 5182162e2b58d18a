/** Where blobs are kept: a bucket, and what stands before their keys in it, without a slash at its end; empty for nothing. */
export interface GcsLocation {
  readonly bucket: string;
  readonly prefix: string;
}

const BUCKET = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/; // https://cloud.google.com/storage/docs/buckets#naming
const PREFIX = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/; // needs no escaping anywhere
const PREFIX_LENGTH = 800; // an object name has 1024 bytes, and a key up to 200

/** `prefix` without a slash at its end. Throws `TypeError` for what cannot stand before keys. */
export const checkedPrefix = (prefix: string): string => {
  const bare = prefix.replace(/\/$/, '');
  if (bare === '') return bare;
  const dots = bare.split('/').some((part) => part === '.' || part === '..');
  if (!PREFIX.test(bare) || dots || bare.length > PREFIX_LENGTH)
    throw new TypeError(`Not a prefix for objects: ${JSON.stringify(prefix)}`);
  return bare;
};

/** `bucket` as it is. Throws `TypeError` for what names no bucket. */
export const checkedBucket = (bucket: string): string => {
  if (!BUCKET.test(bucket)) throw new TypeError(`Not the name of a bucket: ${JSON.stringify(bucket)}`);
  return bucket;
};

/** The place that `gs://BUCKET` or `gs://BUCKET/PREFIX` names. Throws `TypeError` for any other text. */
export const parseGcsUrl = (url: string): GcsLocation => {
  const [, bucket, prefix = ''] = /^gs:\/\/([^/]*)(?:\/(.*))?$/s.exec(url) ?? [];
  if (bucket === undefined) throw new TypeError(`Not of the form gs://BUCKET/PREFIX: ${JSON.stringify(url)}`);
  return { bucket: checkedBucket(bucket), prefix: checkedPrefix(prefix) };
};

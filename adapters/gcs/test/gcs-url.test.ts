import { parseGcsUrl } from '@palimpsest/gcs';
import { expect } from 'chai';

describe('parseGcsUrl', () => {
  for (const [url, bucket, prefix] of [
    ['gs://my-bucket', 'my-bucket', ''],
    ['gs://my-bucket/', 'my-bucket', ''],
    ['gs://my_bucket.example.org/a', 'my_bucket.example.org', 'a'],
    ['gs://my-bucket/a/b-c/D_1.x/', 'my-bucket', 'a/b-c/D_1.x'],
  ] as const) {
    it(`returns the bucket and the prefix of ${url}`, () => {
      expect(parseGcsUrl(url)).to.deep.equal({ bucket, prefix });
    });
  }

  for (const url of [
    '',
    'gs://',
    'gs:///a',
    'gs://ab',
    'gs://My-Bucket',
    'gs://-bucket',
    'gs://user@bucket/a',
    'https://storage.googleapis.com/bucket',
    'gs://my-bucket//a',
    'gs://my-bucket/a//b',
    'gs://my-bucket/a//',
    'gs://my-bucket/../b',
    'gs://my-bucket/a/./b',
    'gs://my-bucket/a b',
    'gs://my-bucket/a?b',
    'gs://my-bucket/a#b',
    'gs://my-bucket/a%2Fb',
    'gs://my-bucket/a\n',
    'gs://my-bucket/ä',
    `gs://my-bucket/${'a'.repeat(801)}`,
  ]) {
    it(`refuses ${JSON.stringify(url.slice(0, 40))} with a TypeError`, () => {
      expect(() => parseGcsUrl(url)).to.throw(TypeError);
    });
  }
});

import type { BlobStore } from '@palimpsest/core';
import { expect } from 'chai';
import { collected } from '../kit/collected.ts';
import { openForEach, testsOf, type Open } from '../kit/harness.ts';
import { describeWithTimeout } from '../kit/runner.ts';

async function* oneByte(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1);
}

/** Tests `BlobStore` with more than a thousand blobs. It may take minutes on a remote store: call it from a slow test. */
export const describeLongBlobStore = (name: string, open: Open<BlobStore>): void =>
  describeWithTimeout(`${name}, a BlobStore, with many blobs`, 300_000, () => {
    const opened = openForEach(open);
    const test = testsOf(opened);

    test('lists every one of 1,050 blobs once', async (store) => {
      const keys = Array.from({ length: 1_050 }, (_, i) => `thousand/${i}`);
      for (let from = 0; from < keys.length; from += 50) {
        await Promise.all(keys.slice(from, from + 50).map((key) => store.put(key, oneByte())));
      }
      expect((await collected(store.list(), ({ key }) => key)).toSorted()).to.deep.equal(keys.toSorted());
    });
  });

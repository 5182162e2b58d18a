import { randomBytes, randomUUID } from 'node:crypto';
import type { BlobStore } from '@palimpsest/core';
import { openGcs } from '@palimpsest/gcs';
import { expect } from 'chai';
import { describeOnGcs } from '../../../test/services/gcs.ts';
import { freshBucket } from './fresh-bucket.ts';
import { chunksOf, failingAfter, keysIn, MIB, readAll } from './samples.ts';
import { rejectionOf } from '../../../test/expectations.ts';

await describeOnGcs('GcsBlobStore on a server', ({ apiEndpoint }) => {
  const bucket = freshBucket(apiEndpoint);
  const timing = { attemptTimeoutMs: 60_000, totalMs: 600_000, firstDelayMs: 5, maxDelayMs: 50 };
  const open = (): Promise<BlobStore> =>
    openGcs({ bucket, prefix: `test-${randomUUID()}`, apiEndpoint, timing, pageSize: 100 });

  it('lists each of 250 blobs once, over several pages', async () => {
    const store = await open();
    const keys = Array.from({ length: 250 }, (_, i) => `many/${i}`).toSorted();
    const left = [...keys];
    const lane = async (): Promise<void> => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await store.put(key, chunksOf(Buffer.from(key)));
    };
    await Promise.all(Array.from({ length: 20 }, lane));
    expect(await keysIn(store)).to.deep.equal(keys);
  }).timeout(120_000);

  for (const size of [MIB, 5 * MIB + 12_345]) {
    it(`returns a blob of ${size} bytes and its ranges`, async () => {
      const store = await open();
      const bytes = randomBytes(size);
      expect(await store.put('a', chunksOf(bytes, 300_007))).to.equal(size);
      expect((await readAll(await store.get('a'))).equals(bytes)).to.equal(true);
      for (const [start, end] of [
        [0, 0],
        [MIB - 2, MIB + 1],
        [size - 1, size - 1],
        [size - 1, size],
        [0, size],
        [1, size - 2],
      ] as const) {
        const part = await readAll(await store.get('a', { start, end }));
        expect(part.equals(bytes.subarray(start, end + 1)), `${start}-${end}`).to.equal(true);
      }
      expect(await readAll(await store.get('a', { start: size, end: size + 5 }))).to.have.length(0);
    });
  }

  it('stores nothing of a blob whose source fails, and stores it with a later put', async () => {
    const store = await open();
    const fault = new Error('the source broke');
    expect(await rejectionOf(store.put('a', failingAfter(randomBytes(3 * MIB), fault)))).to.equal(fault);
    expect(await keysIn(store)).to.deep.equal([]);
    expect(await store.put('a', chunksOf(randomBytes(3 * MIB)))).to.equal(3 * MIB);
  });

  it('throws an error that names the missing bucket', async () => {
    const missing = `palimpsest-test-${randomUUID()}`;
    expect((await rejectionOf(openGcs({ bucket: missing, apiEndpoint, timing }))).message).to.include(
      `no bucket ${missing}`,
    );
  });

  // The interface of https://github.com/googleapis/storage-testbench, but for all requests to one bucket.
  describe('with scripted faults', () => {
    const failing = async (instructions: Readonly<Record<string, readonly string[]>>): Promise<string | undefined> => {
      const response = await fetch(`${apiEndpoint}/retry_test`, {
        method: 'POST',
        body: JSON.stringify({ instructions, bucket }),
      });
      const text = await response.text();
      return response.ok ? `${apiEndpoint}/retry_test/${(JSON.parse(text) as { id: string }).id}` : undefined;
    };
    const upload = 'storage.objects.insert';
    const read = 'storage.objects.get';

    before('ask whether the server supports scripted faults', async function ask() {
      const probe = await failing({});
      if (probe === undefined) {
        for (const test of this.test?.parent?.tests ?? [])
          test.title += ' (skipped: this server has no scripted faults)';
        this.skip();
      }
      await fetch(probe, { method: 'DELETE' });
    });

    for (const [what, size, instructions] of [
      [
        'a small put is answered 503, 429 and a reset',
        1000,
        { [upload]: ['return-503', 'return-429', 'return-reset-connection'] },
      ],
      ['the answer to a small put is lost', 1000, { [upload]: ['commit-then-reset-connection'] }],
      ['a small put is stored and answered 503', 1000, { [upload]: ['commit-then-return-503'] }],
      ['a large put breaks in the middle', 3 * MIB, { [upload]: ['return-503-after-512K'] }],
      ['the answer to a large put is lost', 3 * MIB, { [upload]: ['commit-then-reset-connection'] }],
      [
        'downloads break',
        3 * MIB,
        { [read]: ['return-503', 'return-broken-stream', 'return-broken-stream-after-64K', 'return-reset-connection'] },
      ],
      [
        'the answer to a deletion is lost',
        1000,
        { 'storage.objects.delete': ['return-503', 'commit-then-reset-connection'] },
      ],
      ['a listing is answered 503', 1000, { 'storage.objects.list': ['return-503', 'return-503'] }],
    ] as const) {
      it(`stores, reads, lists and deletes a blob when ${what}`, async () => {
        const store = await open();
        const test = (await failing(instructions)) ?? '';
        try {
          const bytes = randomBytes(size);
          expect(await store.put('a', chunksOf(bytes))).to.equal(size);
          expect((await readAll(await store.get('a'))).equals(bytes)).to.equal(true);
          expect(await keysIn(store)).to.deep.equal(['a']);
          await store.delete('a');
          expect(await keysIn(store)).to.deep.equal([]);
          expect(await (await fetch(test)).json()).to.have.property('completed', true);
        } finally {
          await fetch(test, { method: 'DELETE' });
        }
      });
    }
  });
});

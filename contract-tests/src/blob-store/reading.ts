import { randomBytes } from 'node:crypto';
import type { BlobStore } from '@palimpsest/core';
import { expect } from 'chai';
import { chunksOf, readAll, textOf, textSource } from './blobs.ts';

/** Tests reading blobs: chunks, ranges, and readers that stop early or run concurrently. */
export const describeReading = (store: () => BlobStore): void => {
  it('returns chunks that the reader may modify and keep', async () => {
    await store().put('mine', textSource('untouched'));
    for await (const chunk of (await store().get('mine')) ?? []) chunk.fill(0);
    expect(await textOf(store(), 'mine')).to.equal('untouched');
    const kept: Uint8Array[] = [];
    await store().put('long', chunksOf(randomBytes(500_000)));
    for await (const chunk of (await store().get('long')) ?? []) kept.push(chunk);
    expect(Buffer.concat(kept).equals((await readAll(await store().get('long'))) ?? Buffer.alloc(0))).to.equal(true);
  });

  it('returns exactly the bytes of a range, both ends included, and ends at the end of the blob', async () => {
    const size = 150_000;
    const bytes = randomBytes(size);
    await store().put('ranged', chunksOf(bytes));
    const borders = [0, 1, 39_999, 40_000, 65_536, size - 1, size, size + 10];
    for (const start of borders) {
      for (const end of borders.filter((end) => end >= start)) {
        const part = await readAll(await store().get('ranged', { start, end }));
        expect(part?.equals(bytes.subarray(start, end + 1)), `${start}-${end}`).to.equal(true);
      }
    }
    const rest = await readAll(await store().get('ranged', { start: 149_990, end: Number.MAX_SAFE_INTEGER }));
    expect(rest?.equals(bytes.subarray(149_990))).to.equal(true);
  });

  it('continues to read an opened blob, or throws, after the blob is deleted and its key is used again', async () => {
    const bytes = randomBytes(400_000);
    await store().put('moving', chunksOf(bytes));
    const reader = (await store().get('moving'))?.[Symbol.asyncIterator]();
    const first = await reader?.next();
    await store().delete('moving');
    await store().put('moving', chunksOf(randomBytes(400_000)));
    const read = async (): Promise<Buffer> => {
      const chunks = [first?.value ?? Buffer.alloc(0)];
      for (let next = await reader?.next(); next && !next.done; next = await reader?.next()) chunks.push(next.value);
      return Buffer.concat(chunks);
    };
    const result = await read().catch((error: unknown) => error);
    expect(result instanceof Error || (Buffer.isBuffer(result) && result.equals(bytes))).to.equal(true);
  });

  it('allows readers to stop before or after the first chunk', async () => {
    await store().put('left', chunksOf(randomBytes(300_000)));
    for (let i = 0; i < 20; i++) {
      await (await store().get('left'))?.[Symbol.asyncIterator]().return?.();
      for await (const chunk of (await store().get('left')) ?? []) if (chunk.length > 0) break;
    }
    expect((await readAll(await store().get('left')))?.length).to.equal(300_000);
  });

  it('continues one read when another reader of the blob stops early', async () => {
    const bytes = randomBytes(1_000_000);
    await store().put('read-twice', chunksOf(bytes));
    const reader = (await store().get('read-twice'))?.[Symbol.asyncIterator]();
    const chunks = [(await reader?.next())?.value ?? Buffer.alloc(0)];
    for await (const chunk of (await store().get('read-twice')) ?? []) if (chunk.length > 0) break;
    for (let next = await reader?.next(); next && !next.done; next = await reader?.next()) chunks.push(next.value);
    expect(Buffer.concat(chunks).equals(bytes)).to.equal(true);
  });

  it('serves many concurrent readers of one blob', async () => {
    const bytes = randomBytes(200_000);
    await store().put('popular', chunksOf(bytes));
    const readings = await Promise.all(
      Array.from({ length: 30 }, async () => await readAll(await store().get('popular'))),
    );
    expect(readings.every((reading) => reading?.equals(bytes))).to.equal(true);
  });
};

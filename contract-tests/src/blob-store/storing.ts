import { randomBytes } from 'node:crypto';
import type { BlobStore } from '@palimpsest/core';
import { expect } from 'chai';
import { chunksInOneBuffer } from '../kit/collected.ts';
import { rejectionOf } from '../kit/expectations.ts';
import { chunksOf, keysIn, readAll, textOf, textSource } from './blobs.ts';

/** Tests storing blobs: taken keys, concurrent calls, failing sources and chunks. */
export const describeStoring = (store: () => BlobStore): void => {
  it('throws a TypeError for a key that is taken, and keeps the first blob', async () => {
    await store().put('taken', textSource('first'));
    expect(await rejectionOf(() => store().put('taken', textSource('second, and longer')))).to.be.instanceOf(TypeError);
    expect(await textOf(store(), 'taken')).to.equal('first');
    expect((await store().stat('taken'))?.byteSize).to.equal(5);
  });

  it('lets exactly one of many concurrent puts under one key succeed, and stores it complete', async () => {
    const texts = Array.from({ length: 8 }, (_, i) => `${i}`.repeat(50_000 + i));
    const results = await Promise.allSettled(
      texts.map((text) => store().put('candidates', chunksOf(Buffer.from(text)))),
    );
    const winners = results.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []));
    expect(winners).to.have.length(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).to.be.instanceOf(TypeError);
    expect(await textOf(store(), 'candidates')).to.equal(texts[winners[0] ?? -1]);
    expect(await keysIn(store())).to.deep.equal(['candidates']);
  });

  for (const yielded of [0, 1, 5]) {
    it(`throws the error of a source that fails after ${yielded} chunks, and stores nothing`, async () => {
      const fault = Object.assign(new Error('the source broke'), { code: 'ENOSPC' });
      async function* broken(): AsyncGenerator<Uint8Array> {
        for (let i = 0; i < yielded; i++) yield randomBytes(50_000);
        throw fault;
      }
      expect(await rejectionOf(() => store().put('half', broken()))).to.equal(fault);
      expect(await store().get('half')).to.equal(undefined);
      expect(await store().stat('half')).to.equal(undefined);
      expect(await keysIn(store())).to.deep.equal([]);
      await store().put('half', textSource('whole'));
      expect(await textOf(store(), 'half')).to.equal('whole');
    });
  }

  it('does not show a blob before it is complete', async () => {
    const seen: unknown[] = [];
    async function* spying(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < 3; i++) {
        yield randomBytes(80_000);
        seen.push(await store().get('slow'), await store().stat('slow'), ...(await keysIn(store())));
      }
    }
    await store().put('slow', spying());
    expect(seen).to.deep.equal(Array.from({ length: 6 }, () => undefined));
    expect(await keysIn(store())).to.deep.equal(['slow']);
  });

  it('copies each chunk before it asks the source for the next one', async () => {
    await store().put('reused', chunksInOneBuffer());
    const bytes = await readAll(await store().get('reused'));
    expect(
      Array.from({ length: 20 }, (_, i) => bytes?.subarray(i * 10_000, (i + 1) * 10_000).every((b) => b === i + 1)),
    ).to.not.include(false);
  });

  it('ignores empty chunks', async () => {
    async function* withGaps(): AsyncGenerator<Uint8Array> {
      for (const text of ['', 'one ', '', '', 'two', '']) yield Buffer.from(text);
    }
    expect(await store().put('gaps', withGaps())).to.equal(7);
    expect(await textOf(store(), 'gaps')).to.equal('one two');
  });
};

import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { BlobInfo, BlobStore } from '@palimpsest/core';
import { chunksInOneBuffer, collected } from '../kit/collected.ts';
import { describeWith, openForEach, type Open, type Without } from '../kit/harness.ts';
import { rejectionOf } from '../kit/expectations.ts';
import { describeWithTimeout } from '../kit/runner.ts';
import { describeBlobFaults } from './faults.ts';

const DAY_MS = 86_400_000;

async function* chunksOf(bytes: Uint8Array, size = 40_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

const textSource = (text: string): AsyncIterable<Uint8Array> => chunksOf(Buffer.from(text), 3);

const readAll = async (chunks: AsyncIterable<Uint8Array> | undefined): Promise<Buffer | undefined> =>
  chunks && Buffer.concat(await collected(chunks, (chunk) => chunk));

const textOf = async (store: BlobStore, key: string): Promise<string | undefined> =>
  (await readAll(await store.get(key)))?.toString();

const keysIn = async (store: BlobStore): Promise<readonly string[]> =>
  (await collected(store.list(), ({ key }) => key)).toSorted();

/** Tests every promise of {@link BlobStore}. */
export const describeBlobStore = (name: string, open: Open<BlobStore>, without: Without = {}): void => {
  describeWithTimeout(`${name}, a BlobStore`, 30_000, () => {
    const opened = openForEach(open);
    const store = (): BlobStore => opened().subject;

    for (const size of [0, 1, 40_000, 65_536, 3_000_001]) {
      it(`stores ${size} bytes, returns their number and reads them back`, async () => {
        const bytes = randomBytes(size);
        expect(await store().put('a/blob', chunksOf(bytes))).to.equal(size);
        expect((await readAll(await store().get('a/blob')))?.equals(bytes)).to.equal(true);
        expect((await store().stat('a/blob'))?.byteSize).to.equal(size);
      });
    }

    it('returns `undefined` for a key that was never stored', async () => {
      await store().put('other', textSource('other'));
      expect(await store().get('none')).to.equal(undefined);
      expect(await store().get('none', { start: 0, end: 1 })).to.equal(undefined);
      expect(await store().stat('none')).to.equal(undefined);
    });

    it('does not confuse similar keys', async () => {
      const keys = [
        'a',
        'a/b',
        'a-b',
        'ab',
        'a/b-',
        'a/b/',
        'a/-b',
        'a-/b',
        'b',
        '0',
        'con',
        `z${'/y'.repeat(99)}`,
        'k'.repeat(200),
        `${'k'.repeat(199)}l`,
      ];
      for (const key of keys) await store().put(key, textSource(`under ${key}`));
      for (const key of keys) expect(await textOf(store(), key)).to.equal(`under ${key}`);
      expect(await keysIn(store())).to.deep.equal(keys.toSorted());
      await store().delete('a/b');
      for (const key of keys) expect(await textOf(store(), key)).to.equal(key === 'a/b' ? undefined : `under ${key}`);
    });

    for (const key of [
      '',
      '/a',
      '../a',
      'a/../../b',
      'a//b',
      'A',
      'a_b',
      'a.b',
      'a\0',
      'a\n',
      'é',
      '-a',
      'k'.repeat(201),
    ]) {
      it(`throws a TypeError for the invalid key ${JSON.stringify(key.slice(0, 12))} (${key.length} characters)`, async () => {
        expect(await rejectionOf(() => store().put(key, textSource('x')))).to.be.instanceOf(TypeError);
        expect(await keysIn(store())).to.deep.equal([]);
      });
    }

    it('throws a TypeError for a key that is taken, and keeps the first blob', async () => {
      await store().put('taken', textSource('first'));
      expect(await rejectionOf(() => store().put('taken', textSource('second, and longer')))).to.be.instanceOf(
        TypeError,
      );
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

    it('deletes a blob; deleting a missing blob succeeds', async () => {
      await store().put('gone', textSource('x'));
      await store().put('kept', textSource('y'));
      await store().delete('gone');
      await store().delete('gone');
      await store().delete('never');
      expect(await store().get('gone')).to.equal(undefined);
      expect(await store().stat('gone')).to.equal(undefined);
      expect(await keysIn(store())).to.deep.equal(['kept']);
    });

    it('lists each blob once, with the same size and time as `stat`', async () => {
      for (let i = 0; i < 60; i++) await store().put(`many/${i}`, textSource('x'.repeat(i)));
      const infos: readonly BlobInfo[] = await collected(store().list(), (info) => info);
      expect(infos.map(({ key }) => key).toSorted()).to.deep.equal(
        Array.from({ length: 60 }, (_, i) => `many/${i}`).toSorted(),
      );
      for (const info of infos) {
        expect(info).to.deep.equal(await store().stat(info.key));
        expect(info.byteSize).to.equal(Number(info.key.slice('many/'.length)));
        expect(Number.isSafeInteger(info.storedAt)).to.equal(true);
      }
    });

    it('returns the time of storing in microseconds', async () => {
      await store().put('timed', textSource('x'));
      const storedAt = (await store().stat('timed'))?.storedAt ?? 0;
      expect(Math.abs(storedAt / 1000 - Date.now()), `${storedAt} µs`).to.be.below(DAY_MS);
    });

    it('ignores empty chunks', async () => {
      async function* withGaps(): AsyncGenerator<Uint8Array> {
        for (const text of ['', 'one ', '', '', 'two', '']) yield Buffer.from(text);
      }
      expect(await store().put('gaps', withGaps())).to.equal(7);
      expect(await textOf(store(), 'gaps')).to.equal('one two');
    });

    it('lists each older blob once while others are stored and deleted', async () => {
      for (let i = 0; i < 40; i++) await store().put(`old/${i}`, textSource('x'));
      const seen: string[] = [];
      for await (const { key } of store().list()) {
        seen.push(key);
        if (seen.length > 5) continue;
        await store().put(`new/${seen.length}`, textSource('x'));
        await store().delete(key);
      }
      const old = seen.filter((key) => key.startsWith('old/'));
      expect(new Set(old).size).to.equal(40);
      expect(old).to.have.length(40);
    });

    it('passes the check and leaves no blob behind', async () => {
      await store().check();
      expect(await keysIn(store())).to.deep.equal([]);
    });

    describeWith('openSecond', opened, without, (second) => {
      it('sees a blob of the first handle at once, and throws a TypeError for its key', async () => {
        const other = await second();
        await store().put('shared', textSource('by the first'));
        expect(await textOf(other, 'shared')).to.equal('by the first');
        expect(await other.stat('shared')).to.deep.equal(await store().stat('shared'));
        expect(await keysIn(other)).to.deep.equal(['shared']);
        expect(await rejectionOf(() => other.put('shared', textSource('by the second')))).to.be.instanceOf(TypeError);
        await other.delete('shared');
        expect(await store().get('shared')).to.equal(undefined);
      });

      it('lets exactly one of two concurrent puts under one key succeed', async () => {
        const other = await second();
        for (let i = 0; i < 5; i++) {
          const texts = ['first '.repeat(9000), 'second '.repeat(9000)];
          const results = await Promise.allSettled([
            store().put(`candidates/${i}`, chunksOf(Buffer.from(texts[0] ?? ''))),
            other.put(`candidates/${i}`, chunksOf(Buffer.from(texts[1] ?? ''))),
          ]);
          expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
          expect(await textOf(store(), `candidates/${i}`)).to.equal(texts[results[0].status === 'fulfilled' ? 0 : 1]);
        }
      });
    });

    describeWith('reopen', opened, without, (reopen) => {
      it('has the stored blobs and not the deleted ones', async () => {
        const bytes = randomBytes(100_000);
        await store().put('lasting', chunksOf(bytes));
        await store().put('deleted', textSource('x'));
        await store().delete('deleted');
        const anew = await reopen();
        expect((await readAll(await anew.get('lasting')))?.equals(bytes)).to.equal(true);
        expect(await keysIn(anew)).to.deep.equal(['lasting']);
      });
    });

    describeBlobFaults(opened, without);
  });
};
